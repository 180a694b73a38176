// The page in Chromium, opened from the file system: numbers, errors, links, drags, budgets, accessibility.
//
//   --movements N     random control movements (2000)
//   --budgets         times are judged, which needs a machine with nothing else to do

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { commandLine, compareBits, isStale, ROOT } from "./bits.mjs";

const need = createRequire(`${process.env.LAB_TOOLS}/`);
const { chromium } = need("playwright-core");
const axe = readFileSync(need.resolve("axe-core/axe.min.js"), "utf8");
const file = fileURLToPath(new URL("../../crates/stiction-lab/lab.html", import.meta.url));
const address = `file://${file}`;
const option = process.argv.indexOf("--movements");
const MOVEMENTS = option > 0 ? Number(process.argv[option + 1]) : 2000;

/** For the slowest example on a busy machine (ms). */
const PATIENCE = 120_000;
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--allow-file-access-from-files"],
});

/** A fresh page that has shown its first picture; what it asks the network for and what it complains about is kept. */
async function open(url = address, settings = {}) {
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
async function answered(page, act) {
  const before = await page.evaluate(() => window.lab.runs);
  await act();
  await page.waitForFunction((n) => window.lab.runs > n, before);
}

/** The present reply with its numbers, as the page holds it. */
const reply = async (page) => {
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

const slide = (page, path, place) => page.evaluate(([key, value]) => {
  const slider = document.querySelector(`[data-path="${key}"] input[type=range]`);
  slider.value = value;
  slider.dispatchEvent(new Event("input"));
}, [path, String(place)]);

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
const clean = (page) => assert.deepEqual(page.complaints, []);

const tests = {
  async "every example, opened from the file system, gives the bits of the command line"() {
    const page = await open(address, { reducedMotion: "reduce" });
    const names = await page.evaluate(() => window.lab.examples.map(({ name }) => name));
    for (const name of names) {
      await answered(page, () => page.selectOption("#examples", name === "stick_slip" ? names[0] : name));
      if (name === "stick_slip") await answered(page, () => page.selectOption("#examples", name));
      const text = await page.evaluate(() => window.lab.state.text);
      compareBits(name, await reply(page), commandLine(text));
    }
    clean(page);
    console.log(`  ${names.length} scenarios`);
    await page.context().close();
  },

  async "a slider gives what the command line gives for the same value"() {
    const page = await open();
    await answered(page, () => slide(page, "system.oscillator.friction.coulomb.mu", 700));
    const mu = await page.evaluate(() => window.lab.state.tree.system.oscillator.friction.coulomb.mu);
    assert.notEqual(mu, 1);
    const expected = commandLine(readFileSync(`${ROOT}/examples/stick_slip.toml`, "utf8"), [`system.oscillator.friction.coulomb.mu=${mu}`]);
    compareBits("mu", await reply(page), expected);
    await page.context().close();
  },

  async "another law is chosen, undone and redone"() {
    const page = await open();
    const kinds = await page.$$eval('[data-path="system.oscillator.friction"] option', (list) => list.map(({ value }) => value));
    const refused = [];
    for (const kind of kinds.filter((one) => one !== "coulomb")) {
      await page.selectOption('[data-path="system.oscillator.friction"] select', kind);
      // a law that jumps is refused by the automatic integrator, with a message at its field
      await page.waitForFunction((law) => window.lab.reply.contacts[0].law === law || document.querySelector(`[data-path^="system.oscillator.friction.${law}"] .error:not([hidden])`), kind);
      if ((await page.evaluate(() => window.lab.reply.contacts[0].law)) !== kind) refused.push(kind);
    }
    assert.deepEqual(refused, ["sign-coulomb", "karnopp"]);
    await answered(page, () => page.click("#undo"));
    assert.equal(await page.evaluate(() => window.lab.reply.contacts[0].law), kinds.at(-2));
    await answered(page, () => page.click("#redo"));
    assert.equal(await page.evaluate(() => window.lab.reply.contacts[0].law), kinds.at(-1));
    clean(page);
    console.log(`  ${kinds.length} laws, ${refused.join(" and ")} refused`);
    await page.context().close();
  },

  async "a bad value is told at its field, and a good one takes the message away"() {
    const page = await open();
    const row = page.locator('[data-path="system.oscillator.mass"]');
    for (const bad of ["-1", "0", "one", "1e999"]) {
      await row.locator("input[type=text]").fill(bad);
      await row.locator("input[type=text]").press("Enter");
      await row.locator(".error:not([hidden])").waitFor();
      assert.match(await row.locator(".error").textContent(), /mass|positive|number|must/, bad);
      assert.equal(await row.locator("input[type=text]").getAttribute("aria-invalid"), "true");
    }
    await answered(page, async () => {
      await row.locator("input[type=text]").fill("2");
      await row.locator("input[type=text]").press("Enter");
    });
    assert.ok(await row.locator(".error").isHidden());
    clean(page);
    await page.context().close();
  },

  async "the mass and the disc are dragged"() {
    const page = await open();
    const drag = async (at, by) => {
      const box = await page.locator("#scene").boundingBox();
      await page.mouse.move(box.x + at[0], box.y + at[1]);
      await page.mouse.down();
      await page.mouse.move(box.x + at[0] + by[0], box.y + at[1] + by[1], { steps: 4 });
      await page.mouse.up();
    };
    await page.evaluate(() => window.lab.openExample("free_decay"));
    await page.waitForFunction(() => window.lab.reply.title.includes("Free decay"));
    await page.evaluate(() => window.lab.player.pause());
    await page.evaluate(() => window.lab.player.seek(0));
    const at = await page.evaluate(() => { const { centre } = window.lab.scene.place; return [centre[0].x, centre[0].y]; });
    await answered(page, () => drag(at, [-90, 0]));
    await page.waitForFunction(() => window.lab.state.filled.system.oscillator.initial.position < 0.9);
    await page.evaluate(() => window.lab.openExample("spinning_disc"));
    await page.waitForFunction(() => window.lab.reply.title.includes("disc"));
    await page.evaluate(() => { window.lab.player.pause(); window.lab.player.seek(0); });
    const from = await page.evaluate(() => { const { px, py, now } = window.lab.scene.place; return [px(now.x), py(now.y)]; });
    await answered(page, () => drag(from, [60, -80]));
    await page.waitForFunction(() => window.lab.state.filled.system.body.velocity[1] > 0.2);
    clean(page);
    await page.context().close();
  },

  async "copied TOML and Python hold the scenario; the TOML runs from the command line"() {
    const page = await open();
    await answered(page, () => slide(page, "system.oscillator.force.omega", 650));
    await page.click("#copy-toml");
    await page.waitForFunction(() => window.lab.copied);
    const toml = await page.evaluate(() => window.lab.copied);
    compareBits("copied", await reply(page), commandLine(toml));
    await page.click("#copy-python");
    await page.waitForFunction(() => window.lab.copied.startsWith("import stiction"));
    await page.context().close();
  },

  async "a link restores the state"() {
    const page = await open();
    await answered(page, () => slide(page, "system.oscillator.stiffness", 800));
    await page.click("#tab-response");
    await page.click("#copy-link");
    await page.waitForFunction(() => location.hash.length > 10);
    const [link, text] = await page.evaluate(() => [location.href, window.lab.state.text]);
    const other = await open(link);
    assert.equal(await other.evaluate(() => window.lab.state.text), text);
    assert.equal(await other.evaluate(() => window.lab.mode), "response");
    assert.deepEqual((await reply(other)).facts, (await reply(page)).facts);
    const broken = await open(`${address}#s=AAAA`);
    assert.match(await broken.evaluate(() => window.lab.reply.title), /stick-slip/);
    for (const one of [page, other, broken]) await one.context().close();
  },

  async "a dropped file is opened"() {
    const page = await open();
    const text = readFileSync(`${ROOT}/examples/two_masses.toml`, "utf8");
    await answered(page, () => page.evaluate((content) => {
      const data = new DataTransfer();
      data.items.add(new File([content], "two_masses.toml"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, text));
    assert.equal(await page.evaluate(() => window.lab.state.text), text);
    await page.context().close();
  },

  async "a paper's scenario shows the panels of its printed figure first"() {
    const page = await open();
    const titles = async (name) => {
      await answered(page, () => page.evaluate((one) => window.lab.openExample(one, "motion"), name));
      return page.$$eval("#mode-motion .plot h3", (list) => list.map(({ textContent }) => textContent));
    };
    const nine = ["Position", "Velocity", "Acceleration", "Friction force", "Slope of the friction force", "Friction over velocity", "Slope over velocity", "Phase plane", "Velocity and acceleration"];
    assert.deepEqual((await titles("paper-b-fig-2")).slice(0, 9), nine);
    assert.equal((await titles("paper-e-linear"))[1], "Position, while it should rest");
    assert.equal((await titles("stick_slip"))[1], "Phase plane");
    clean(page);
    await page.context().close();
  },

  async "the other views show curves"() {
    const page = await open();
    await page.click("#tab-response");
    await page.waitForFunction(() => document.querySelector("#mode-response .note").textContent.includes("periodic motions"));
    const response = await page.locator("#mode-response .note").textContent();
    await page.click("#tab-compare");
    await page.waitForFunction(() => document.querySelectorAll("#mode-compare td").length >= 10);
    const creep = await page.$$eval("#mode-compare tbody tr:last-child td", (cells) => cells.map(({ textContent }) => textContent));
    assert.ok(creep.every((text) => !/^0$/.test(text)), "a regularised law creeps");
    await page.click("#tab-map");
    await page.waitForFunction(() => /done/.test(document.querySelector("#mode-map .note").textContent));
    const cell = await page.evaluate(() => window.lab.map.cell(3, 4));
    const expected = commandLine(readFileSync(`${ROOT}/examples/stick_slip.toml`, "utf8"), cell.sets);
    if (!isStale) assert.equal(cell.value, expected.facts.find(({ name }) => name === cell.fact).value);
    await page.click("#tab-text");
    await answered(page, async () => {
      const box = page.locator("#mode-text textarea");
      await box.fill((await box.inputValue()).replace("mu = 1.0", "mu = 0.7"));
    });
    await page.evaluate(() => { document.querySelector("#mode-text textarea").blur(); });
    assert.equal(await page.evaluate(() => window.lab.state.tree.system.oscillator.friction.coulomb.mu), 0.7);
    clean(page);
    console.log(`  ${response}`);
    await page.context().close();
  },

  async "no request leaves the page"() {
    const page = await open();
    await page.evaluate(() => window.lab.openExample("spinning_disc"));
    await page.waitForTimeout(300);
    const away = page.requests.filter((url) => !/^(file|blob|data):/.test(url));
    assert.deepEqual(away, []);
    // and none could: the page forbids it to itself
    const refused = await page.evaluate(() => fetch("https://example.org/").then(() => "sent", () => "refused"));
    assert.equal(refused, "refused");
    await page.context().close();
  },

  async "hostile input runs no script, freezes nothing and does not end the worker for good"() {
    const page = await open();
    page.on("dialog", () => assert.fail("a script ran"));
    const good = readFileSync(`${ROOT}/examples/stick_slip.toml`, "utf8");
    const markup = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    await answered(page, () => page.evaluate((text) => window.lab.openText(text, "x.toml"), good.replace(/^title = .*$/m, `title = '${markup}'`)));
    assert.equal(await page.locator("#title").textContent(), markup);
    assert.equal(await page.locator("main img").count(), 0);

    // while the core works the page must answer: the longest time between two timers is measured
    const hostile = {
      "10 MB": `title = "${"x".repeat(10_000_000)}"`,
      "10 MB of lists": `x = [${"1,".repeat(5_000_000)}]`,
      "deep": `x = ${"[".repeat(100_000)}`,
      "endless duration": good.replace("periods = 20\nwindow = [18, 20]", "duration = 1e300"),
      "long": good.replace("[integrator.exact]", "[integrator.rk4]\nstep = 1e-7").replace("coulomb = { mu = 1.0 }", "tanh = { mu = 1.0, width = 1e-3 }"),
      "many samples": good.replace("window = [18, 20]", "samples = 1000000"),
      "not a number": good.replace("mass = 1.0", "mass = nan"),
    };
    for (const [name, text] of Object.entries(hostile)) {
      const longest = await page.evaluate((content) => new Promise((resolve) => {
        let [last, worst] = [performance.now(), 0];
        const timer = setInterval(() => {
          worst = Math.max(worst, performance.now() - last);
          last = performance.now();
        }, 10);
        window.lab.openText(content, "hostile.toml");
        setTimeout(() => {
          clearInterval(timer);
          resolve(worst);
        }, 1100);
      }), text);
      assert.ok(longest < 1000, `${name}: ${longest.toFixed(0)} ms`);
    }
    await answered(page, () => page.evaluate((text) => window.lab.openText(text), good));
    assert.match(await page.locator("#title").textContent(), /stick-slip/);
    await page.context().close();
  },

  async "a motion that is overtaken before its frame is drawn leaves no error"() {
    const page = await open(address, { reducedMotion: "reduce" });
    const [drawn, faults] = await page.evaluate(async () => {
      const { lab } = window;
      const frames = [];
      window.requestAnimationFrame = (draw) => frames.push(draw);
      const opened = (name, onShown) => new Promise((done) => {
        lab.onShown = () => done(onShown());
        lab.openExample(name, "motion");
      });
      await opened("free_decay", () => 0);
      // the frame of the motion comes when a response, which has no contacts to draw, is there
      return opened("frequency_response", () => {
        const [late, found] = [frames.splice(0), []];
        for (const draw of late) {
          try {
            draw(performance.now());
          } catch (error) {
            found.push(error.stack);
          }
        }
        return [late.length, found];
      });
    });
    assert.ok(drawn > 0);
    assert.deepEqual(faults, []);
    clean(page);
    await page.context().close();
  },

  async [`${MOVEMENTS} random movements of the controls leave no error in the console`]() {
    const page = await open();
    let seed = 20261116;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    const names = await page.evaluate(() => window.lab.examples.map(({ name }) => name));
    for (let i = 0; i < MOVEMENTS; i += 25) {
      const dice = Array.from({ length: Math.min(25, MOVEMENTS - i) }, () => [random(), random(), random()]);
      await page.evaluate(async ([name, movements]) => {
        const pause = (ms) => new Promise((done) => setTimeout(done, ms));
        const all = (selector) => [...document.querySelectorAll(selector)];
        window.lab.openExample(name);
        await pause(80);
        for (const [a, b, c] of movements) {
          const pick = (list) => list[Math.floor(b * list.length)];
          if (a < 0.72) {
            const slider = pick(all("#controls input[type=range]"));
            slider.value = String(Math.floor(c * 1000));
            slider.dispatchEvent(new Event("input"));
          } else if (a < 0.82) {
            const select = pick(all("#controls select"));
            if (select) select.selectedIndex = Math.floor(c * select.options.length);
            select?.dispatchEvent(new Event("change"));
          } else if (a < 0.88) pick(all("#tabs button")).click();
          else if (a < 0.92) document.getElementById("undo").click();
          else if (a < 0.95) pick(all("#controls .add, #controls button.quiet"))?.click();
          else pick(all(".player button")).click();
          // some answers are waited for, most are overtaken by the next question
          await pause(a < 0.3 ? 20 : 0);
        }
      }, [names[Math.floor(random() * names.length)], dice]);
    }
    await answered(page, () => page.evaluate(() => window.lab.openExample("free_decay", "motion")));
    assert.equal(await page.evaluate(() => window.lab.panics), 0);
    clean(page);
    await page.context().close();
  },

  async "slider to curves below 20 ms, first picture below 1 s, page below 1.5 MB"() {
    const page = await open();
    const first = await page.evaluate(() => window.lab.firstPicture);
    const size = statSync(file).size;
    const found = [];
    for (const [name, path] of [["stick_slip", "system.oscillator.friction.coulomb.mu"], ["spinning_disc", "system.body.spin"]]) {
      await page.evaluate((one) => window.lab.openExample(one), name);
      await page.waitForTimeout(400);
      await page.evaluate(() => window.lab.player.pause());
      const list = [];
      for (let i = 0; i < 60; i += 1) {
        await answered(page, () => slide(page, path, 300 + 7 * i));
        list.push(await page.evaluate(() => [window.lab.ms, window.lab.reply.ms]));
      }
      const sorted = (k) => list.slice(10).map((one) => one[k]).sort((x, y) => x - y);
      found.push({ name, median: median(sorted(0)), quick: sorted(0)[5], core: median(sorted(1)) });
    }
    for (const one of found) console.log(`  slider to curves: ${one.name} median ${one.median.toFixed(1)} ms, quickest tenth ${one.quick.toFixed(1)} ms; core ${one.core.toFixed(1)} ms`);
    console.log(`  first picture ${first.toFixed(0)} ms by the clock; page ${(size / 1e6).toFixed(2)} MB`);
    assert.ok(size < 1.5e6);
    if (process.argv.includes("--budgets")) assert.ok(first < 1000 && found.every((one) => one.median < 20), JSON.stringify(found));
    await page.context().close();
  },

  async "axe finds no serious violation, light and wide, dark and narrow"() {
    for (const [colorScheme, viewport] of [["light", { width: 1440, height: 1000 }], ["dark", { width: 390, height: 844 }]]) {
      // axe is put in from outside, which the page's own policy forbids
      const page = await open(address, { colorScheme, viewport, bypassCSP: true });
      for (const [name, mode] of [["stick_slip", "compare"], ["spinning_disc", "motion"], ["stick_slip", "map"], ["stick_slip", "text"]]) {
        await page.evaluate(([one, to]) => window.lab.openExample(one, to), [name, mode]);
        await page.waitForTimeout(300);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => window.axe.run());
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]), [], `${name} ${mode} ${colorScheme} ${viewport.width}`);
      }
      await page.context().close();
    }
  },

  async "the tour leads through its lessons, and the keyboard plays"() {
    const page = await open();
    await page.click("#tour");
    for (let i = 0; i < 4; i += 1) {
      await page.locator(".tour h2").waitFor();
      await page.click(".tour .primary");
    }
    assert.match(await page.locator(".tour .count").textContent(), /5 of 5/);
    await page.click(".tour .primary");
    assert.ok(await page.locator(".tour").isHidden());
    await page.waitForFunction(() => window.lab.reply.title.includes("belt"));
    await page.evaluate(() => { document.activeElement.blur(); window.lab.player.pause(); window.lab.player.seek(0); });
    await page.keyboard.press(".");
    const t = await page.evaluate(() => window.lab.player.t);
    assert.ok((await reply(page)).events.some((event) => event.t === t), "a step ends on an event");
    await page.keyboard.press(" ");
    assert.ok(await page.evaluate(() => window.lab.player.isPlaying));
    clean(page);
    await page.context().close();
  },
};

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
