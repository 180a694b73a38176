// The site as a reader has it: every link leads somewhere, every page opens from the file system in Chromium without a request
// elsewhere, formulas are set, and the search finds.
//
//   --screenshots     pictures of twelve pages on a laptop and on a phone, light and dark, into target/site-pictures

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";

const need = createRequire(`${process.env.LAB_TOOLS}/`);
const { chromium } = need("playwright-core");
const SITE = process.env.SITE;
/** Pages that belong to Sphinx, and the lab, which has tests of its own. */
const OTHERS = ["genindex.html", "py-modindex.html", "search.html", "live.html"];
const pages = readdirSync(SITE, { recursive: true }).filter((name) => name.endsWith(".html") && !name.startsWith("_")).sort();
const text = new Map(pages.map((name) => [resolve(SITE, name), readFileSync(join(SITE, name), "utf8")]));

/** Every link and every source of a page that is not an address leads to a file, and to a place in it. */
function links() {
  const dead = [];
  let n = 0;
  const ids = new Map();
  const has = (path, id) => {
    if (!ids.has(path)) ids.set(path, new Set([...text.get(path).matchAll(/\s(?:id|name)="([^"]*)"/g)].map((found) => found[1])));
    return ids.get(path).has(id);
  };
  for (const [path, html] of text) {
    if (OTHERS.some((name) => path.endsWith(`/${name}`))) continue;
    for (const [, link] of html.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:|javascript:)/.test(link) || link === "#") continue;
      n += 1;
      const [file, id] = decodeURI(link.replaceAll("&amp;", "&")).split("#");
      const to = file ? resolve(dirname(path), file.split("?")[0]) : path;
      if (!existsSync(to) || (id && text.has(to) && !has(to, id))) dead.push(`${relative(SITE, path)}: ${link}`);
    }
  }
  assert.deepEqual(dead, []);
  return n;
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

async function open(settings = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...settings });
  const page = await context.newPage();
  page.outside = [];
  page.complaints = [];
  page.on("request", (request) => /^(file|data|blob|about):/.test(request.url()) || page.outside.push(request.url()));
  page.on("pageerror", (error) => page.complaints.push(error.stack));
  page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
  return page;
}

/** Opens a page and waits for its formulas. */
async function show(page, name) {
  await page.goto(`file://${join(SITE, name)}`);
  if (await page.locator(".math").count()) await page.waitForFunction(() => Boolean(window.MathJax?.startup?.promise));
  await page.evaluate(() => window.MathJax?.startup?.promise);
}

async function all() {
  const page = await open();
  let formulas = 0;
  for (const name of pages.filter((name) => !OTHERS.includes(name))) {
    await show(page, name);
    const found = await page.evaluate(() => ({
      formulas: document.querySelectorAll(".math").length,
      set: [...document.querySelectorAll(".math")].filter((one) => one.querySelector("mjx-container svg")).length,
      wrong: document.querySelectorAll("mjx-merror, [data-mjx-error]").length,
      pictures: [...document.images].filter((image) => image.complete && image.naturalWidth === 0 && image.loading !== "lazy").map((image) => image.src),
    }));
    assert.deepEqual(page.outside, [], `${name}: requests outside`);
    assert.deepEqual(page.complaints, [], name);
    assert.deepEqual(found.pictures, [], `${name}: pictures that do not show`);
    assert.equal(found.wrong, 0, `${name}: a formula is wrong`);
    assert.equal(found.set, found.formulas, `${name}: formulas that are not set`);
    formulas += found.formulas;
  }
  await page.goto(`file://${join(SITE, "search.html")}?q=restitution`);
  await page.waitForSelector("#search-results li");
  assert.deepEqual(page.outside, []);
  return formulas;
}

/** No page is broader than the window of a phone. */
async function phone() {
  const page = await open({ viewport: { width: 390, height: 844 } });
  const broad = [];
  for (const name of pages.filter((name) => !OTHERS.includes(name))) {
    await show(page, name);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > 391) broad.push(`${name}: ${width}`);
  }
  assert.deepEqual(broad, [], "pages broader than a phone");
}

const SHOWN = ["index.html", "start.html", "tutorials/vibration.html", "tutorials/control.html", "howto/stiffness.html", "reference/systems.html",
  "reference/laws.html", "methods/automaton.html", "gallery.html", "python-api.html", "comparison.html", "papers.html"];

async function screenshots() {
  const folder = join(dirname(SITE), "site-pictures");
  mkdirSync(folder, { recursive: true });
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
  const kinds = [["laptop", {}], ["phone", phone], ["laptop-dark", { colorScheme: "dark" }], ["phone-dark", { ...phone, colorScheme: "dark" }]];
  for (const [kind, settings] of kinds) {
    const page = await open(settings);
    for (const name of SHOWN) {
      await show(page, name);
      await page.screenshot({ path: join(folder, `${name.replaceAll("/", "-").replace(".html", "")}-${kind}.png`) });
    }
  }
  console.log(`pictures in ${folder}`);
}

try {
  const n = links();
  console.log(`${pages.length} pages, ${n} links, none dead`);
  if (process.argv.includes("--screenshots")) await screenshots();
  else {
    console.log(`${await all()} formulas set, no request outside, the search finds`);
    await phone();
    console.log("no page is broader than a phone");
  }
} finally {
  await browser.close();
}
