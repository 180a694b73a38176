// The page in Chromium, opened from the file system.
//
//   NAME              only the tests whose name contains it
//   --movements N     random control movements (2000)
//   --budgets         times are judged, which needs a machine with nothing else to do

import { tests as lessons } from "./browser-lessons.mjs";
import { tests as page } from "./browser-page.mjs";
import { tests as scenes } from "./browser-scenes.mjs";
import { tests as views } from "./browser-views.mjs";
import { browser } from "./harness.mjs";

const tests = { ...page, ...scenes, ...views, ...lessons };
const only = process.argv.slice(2).find((word) => !word.startsWith("--") && Number.isNaN(Number(word)));
const begin = performance.now();
const failed = [];
try {
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const start = performance.now();
    try {
      await test();
    } catch (error) {
      failed.push(name);
      console.log(`FAILED  ${name}: ${error.stack}`);
      continue;
    }
    console.log(`ok  ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  }
} finally {
  await browser.close();
}
console.log(`lab: all in ${((performance.now() - begin) / 1000).toFixed(0)} s`);
if (failed.length) console.log(`failed: ${failed.join(", ")}`);
process.exitCode = failed.length ? 1 : 0;
