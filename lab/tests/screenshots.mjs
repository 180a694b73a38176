// Pictures of the page for the documentation: every scene, light and dark, on a laptop, a phone and a projector.

import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const need = createRequire(`${process.env.LAB_TOOLS}/`);
const { chromium } = need("playwright-core");
const file = (path) => fileURLToPath(new URL(path, import.meta.url));

const SIZES = { laptop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 }, projector: { width: 1920, height: 1080 } };
/** Example, view, size, theme, and the part of the motion at which it is stopped. */
const SHOTS = [
  ["stick_slip", "motion", "laptop", "light", 0.3],
  ["mass_on_belt", "motion", "projector", "dark", 0.22],
  ["blocks_on_belt", "motion", "laptop", "light", 0.55],
  ["spinning_disc", "motion", "laptop", "dark", 0.35],
  ["sliding_block", "motion", "projector", "light", 0.5],
  ["spinning_disc", "motion", "phone", "light", 0.35],
  ["stick_slip", "motion", "phone", "dark", 0.3],
  ["stick_slip", "compare", "laptop", "light", 0.3],
  ["stick_slip", "response", "laptop", "dark", 0.3],
];

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"] });
for (const [name, view, size, colorScheme, part] of SHOTS) {
  const page = await browser.newPage({ viewport: SIZES[size], colorScheme, reducedMotion: "reduce" });
  await page.goto(`file://${file("../lab.html")}`);
  await page.waitForFunction(() => window.lab?.firstPicture > 0);
  await page.evaluate(([example, mode]) => window.lab.openExample(example, mode), [name, view]);
  await page.waitForTimeout(2500);
  await page.evaluate((at) => { const { player, motion } = window.lab; player.seek(motion.from + at * (motion.to - motion.from)); }, part);
  await page.waitForTimeout(500);
  const path = file(`../../docs/figures/lab-${name}-${view}-${size}-${colorScheme}.png`);
  await page.screenshot({ path });
  console.log(path);
  await page.close();
}
await browser.close();
