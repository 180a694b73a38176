// What all tests of the page in Chromium share: one browser, pages opened from the file system, replies with their numbers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const need = createRequire(`${process.env.LAB_TOOLS}/`);
const { chromium } = need("playwright-core");
export const axe = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");
export const file = process.env.LAB_PAGE ?? fileURLToPath(new URL("../../crates/stiction-lab/lab.html", import.meta.url));
export const address = `file://${file}`;

/** For the slowest example on a busy machine (ms). */
const PATIENCE = 60_000;
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--allow-file-access-from-files"],
});

/** A fresh page that has shown its first picture; what it asks the network for and what it complains about is kept. */
export async function open(url = address, settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 }, bypassCSP: false, ...settings });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.requests = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.complaints.push(message.text()));
  page.on("pageerror", (error) => page.complaints.push(error.stack));
  page.on("request", (request) => page.requests.push(request.url()));
  await page.goto(url);
  await page.waitForFunction(() => window.lab?.firstPicture > 0);
  return page;
}

/** Does something and waits for the answer that it leads to. */
export async function answered(page, act) {
  const before = await page.evaluate(() => window.lab.runs);
  await act();
  await page.waitForFunction((n) => window.lab.runs > n, before);
}

/** The present reply with its numbers, as the page holds it. */
export const reply = async (page) => {
  const found = await page.evaluate(() => {
    const { title, facts, samples, events, work } = window.lab.reply;
    const letters = (values) => {
      const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
      let text = "";
      for (let i = 0; i < bytes.length; i += 4096) text += String.fromCharCode(...bytes.subarray(i, i + 4096));
      return btoa(text);
    };
    return { title, facts, events, work, samples: samples.map(({ name, values }) => ({ name, letters: letters(values) })) };
  });
  for (const column of found.samples) column.values = new Float64Array(Uint8Array.from(Buffer.from(column.letters, "base64")).buffer);
  return found;
};

export const slide = (page, path, place) => page.evaluate(([key, value]) => {
  const slider = document.querySelector(`[data-path="${key}"] input[type=range]`);
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}, [path, String(place)]);

export const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
export const clean = (page) => assert.deepEqual(page.complaints, []);


/** Opens an example and waits for its outcome. */
export const openExample = (page, name, mode = "motion") => answered(page, () => page.evaluate(([one, to]) => window.lab.openExample(one, to), [name, mode]));

/** Opens a scenario from the gallery, through its card. */
export async function openCard(page, name) {
  await page.click("#examples");
  await answered(page, () => page.click(`.gallery .example[data-name="${name}"]`));
}
