// Pictures of the page for the documentation: every kind of scene, light and dark, on a laptop, a phone and a projector.
//
//   --all   instead every scenario and every lesson in every size and theme, into target/lab-screenshots, to be looked at

import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const need = createRequire(`${process.env.LAB_TOOLS}/`);
const { chromium } = need("playwright-core");
const file = (path) => fileURLToPath(new URL(path, import.meta.url));
const address = `file://${process.env.LAB_PAGE ?? file("../../crates/stiction-lab/lab.html")}`;

const SIZES = { laptop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 }, projector: { width: 1920, height: 1080 } };
/** Example and the part of the motion at which it is stopped: each kind of scene, on a phone and on a projector, light and dark. */
const SCENES = [["stick_slip", 0.3], ["mass_on_belt", 0.22], ["end_stops", 0.4], ["elastic_contact", 0.4], ["blocks_on_belt", 0.55], ["spinning_disc", 0.35]];
const SHOTS = [
  ["stick_slip", "motion", "laptop", "light", 0.3],
  ["stick_slip", "explain", "laptop", "light", 0.3],
  ["spinning_disc", "explain", "laptop", "light", 0.35],
  ["clutch", "motion", "laptop", "dark", 0.3],
  ["sliding_block", "motion", "laptop", "light", 0.5],
  ["paper-b-fig-2", "motion", "laptop", "light", 0.3],
  ["stick_slip", "compare", "laptop", "light", 0.3],
  ["stick_slip", "response", "laptop", "dark", 0.3],
  ...SCENES.flatMap(([name, part]) => ["phone", "projector"].flatMap((size) => ["light", "dark"].map((theme) => [name, "motion", size, theme, part]))),
];
/** Pictures of dialogs, each with what opens it. */
const DIALOGS = [["gallery", (page) => page.click("#examples")], ["lesson", (page) => page.click("#lessons")], ["present", (page) => page.click("#present")]];
/** Pixels of the picture for one of the page; those of a projector are many. */
const DENSITY = { laptop: 0.75, phone: 1, projector: 0.5 };

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"] });

async function started(size, colorScheme) {
  const page = await browser.newPage({ viewport: SIZES[size], deviceScaleFactor: DENSITY[size], colorScheme, reducedMotion: "reduce" });
  await page.goto(address);
  await page.waitForFunction(() => window.lab?.firstPicture > 0);
  return page;
}

async function keep(page, name) {
  const path = file(`../../docs/figures/lab-${name}.png`);
  await page.screenshot({ path });
  console.log(path);
}

/** Every scenario in plots and explained, and every lesson before the prediction and at its task. */
async function all(size, colorScheme) {
  const folder = file(`../../target/lab-screenshots/${size}-${colorScheme}`);
  mkdirSync(folder, { recursive: true });
  const page = await started(size, colorScheme);
  const take = async (name) => {
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${folder}/${name}.png` });
  };
  for (const name of await page.evaluate(() => window.lab.examples.map((one) => one.name))) {
    for (const view of ["motion", "explain"]) {
      const before = await page.evaluate(() => window.lab.runs);
      await page.evaluate(([example, mode]) => window.lab.openExample(example, mode), [name, view]);
      await page.waitForFunction((runs) => window.lab.runs > runs, before);
      await page.evaluate(() => { const { player, motion } = window.lab; player.pause(); player.seek(motion.from + 0.35 * (motion.to - motion.from)); });
      await take(`${name}-${view}`);
    }
  }
  for (const i of (await page.evaluate(() => window.lab.lessons.lessons)).keys()) {
    await page.evaluate((k) => window.lab.lessons.go(k), i);
    await page.waitForTimeout(1000);
    await take(`lesson-${i + 1}-predict`);
    await page.locator(".lesson .answers button").first().click();
    await take(`lesson-${i + 1}-task`);
  }
  await page.close();
  console.log(folder);
}

if (process.argv.includes("--all")) {
  for (const size of Object.keys(SIZES)) for (const theme of ["light", "dark"]) await all(size, theme);
  await browser.close();
  process.exit();
}
for (const [name, view, size, colorScheme, part] of SHOTS) {
  const page = await started(size, colorScheme);
  await page.evaluate(([example, mode]) => window.lab.openExample(example, mode), [name, view]);
  await page.waitForTimeout(view === "motion" || view === "explain" ? 900 : 2500);
  await page.evaluate((at) => { const { player, motion } = window.lab; player.seek(motion.from + at * (motion.to - motion.from)); }, part);
  await page.waitForTimeout(300);
  await keep(page, `${name}-${view}-${size}-${colorScheme}`);
  await page.close();
}
for (const [name, act] of DIALOGS) {
  const page = await started("laptop", "light");
  await act(page);
  await page.waitForTimeout(2500);
  await keep(page, name);
  await page.close();
}
await browser.close();
