// The page as a whole: numbers, errors, links, drags, hostile input, random movements, accessibility, budgets.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { commandLine, compareBits, isStale, ROOT } from "./bits.mjs";
import { expected } from "./elements.mjs";
import { address, answered, axe, clean, file, median, open, openCard, openExample, reply, slide } from "./harness.mjs";

const option = process.argv.indexOf("--movements");
const MOVEMENTS = option > 0 ? Number(process.argv[option + 1]) : 2000;

/** Of so many examples one is compared with the command line. */
const BITS = 5;

export const tests = {
  async "examples give the bits of the command line, and every scene shows each element once"() {
    const page = await open(address, { reducedMotion: "reduce" });
    const names = await page.evaluate(() => window.lab.examples.map(({ name }) => name));
    const kinds = {};
    for (const [i, name] of [...names.filter((one) => one !== "stick_slip"), "stick_slip"].entries()) {
      await openExample(page, name);
      // node compares the bits of all; here some show that the browser computes the same
      if (i % BITS === 0) compareBits(name, await reply(page), commandLine(await page.evaluate(() => window.lab.state.text)));
      await page.waitForFunction(() => window.lab.scene.drawn.length > 0);
      const [scenario, drawn, kind, isSeen, nodes] = await page.evaluate(() => {
        const { lab } = window;
        const box = document.getElementById("scene").getBoundingClientRect();
        return [lab.reply.scenario, lab.scene.drawn, lab.plan.kind, box.width > 100 && box.height > 80, document.querySelectorAll("*").length];
      });
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      assert.ok(isSeen, `${name}: no scene`);
      const faults = await page.evaluate(() => {
        const [legend, scene] = ["legend", "scene"].map((id) => document.getElementById(id).getBoundingClientRect());
        const cut = [...document.querySelectorAll("#controls :is(input[type=text], textarea)")].filter((box) => box.checkVisibility() && (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 4));
        return [...cut.map((box) => `${box.id} is cut`), ...(legend.bottom > scene.top + 1 ? ["the legend covers the scene"] : [])];
      });
      assert.deepEqual(faults, [], name);
      assert.ok(nodes <= 3000, `${name}: ${nodes} nodes`);
      const wanted = expected(scenario);
      if (wanted) assert.deepEqual([...drawn].sort(), wanted, name);
    }
    clean(page);
    console.log(`  ${names.length} scenarios: ${Object.entries(kinds).map(([kind, n]) => `${n} ${kind}`).join(", ")}`);
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
    for (const kind of kinds.filter((one) => one !== "coulomb")) {
      await page.selectOption('[data-path="system.oscillator.friction"] select', kind);
      // a law that the exact engine refuses comes with a method that takes it
      await page.waitForFunction((law) => window.lab.reply.contacts[0].law === law, kind);
      assert.ok(await page.locator("#errors").isHidden(), kind);
      if (kind === "sign-coulomb" || kind === "karnopp") assert.ok(await page.evaluate(() => Boolean(window.lab.reply.scenario.integrator.rk4)), kind);
    }
    await answered(page, () => page.click("#undo"));
    assert.equal(await page.evaluate(() => window.lab.reply.contacts[0].law), kinds.at(-2));
    await answered(page, () => page.click("#redo"));
    assert.equal(await page.evaluate(() => window.lab.reply.contacts[0].law), kinds.at(-1));
    clean(page);
    console.log(`  ${kinds.length} laws`);
    await page.context().close();
  },

  async "a bad value is reported at its field, and a good one takes the message away"() {
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
    // an unknown key is named, at its table and, where nothing else is to be seen, in the page
    const text = (await page.evaluate(() => window.lab.state.text)).replace("mu = 1.0", "mu = 1.0, mu_statc = 1.2");
    await page.evaluate((content) => window.lab.openText(content, "mine.toml"), text);
    await page.locator("#errors").waitFor();
    assert.match(await page.locator("#errors").textContent(), /line \d+, .*mu_statc.*mu_static/);
    assert.match(await page.locator('[data-path="system.oscillator.friction"] .error').textContent(), /^coulomb\.mu_statc: unknown key/);
    await answered(page, () => page.evaluate((content) => window.lab.openText(content, "mine.toml"), text.replace("mu_statc", "mu_static")));
    assert.ok(await page.locator("#errors").isHidden());
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
    await page.evaluate(() => document.getElementById("copy-toml").click());
    await page.waitForFunction(() => window.lab.copied);
    const toml = await page.evaluate(() => window.lab.copied);
    compareBits("copied", await reply(page), commandLine(toml));
    await page.evaluate(() => document.getElementById("copy-python").click());
    await page.waitForFunction(() => window.lab.copied.startsWith("import stiction"));
    await page.context().close();
  },

  async "a link restores the state"() {
    const page = await open();
    await answered(page, () => slide(page, "system.oscillator.stiffness", 800));
    await page.click("#tab-response");
    await page.evaluate(() => document.getElementById("copy-link").click());
    await page.waitForFunction(() => location.hash.length > 10);
    const [link, text] = await page.evaluate(() => [location.href, window.lab.state.text]);
    const other = await open(link);
    assert.equal(await other.evaluate(() => window.lab.state.text), text);
    assert.equal(await other.evaluate(() => window.lab.mode), "response");
    assert.deepEqual((await reply(other)).facts, (await reply(page)).facts);
    for (const damaged of ["AAAA", ""]) {
      const broken = await open(`${address}#s=${damaged}`);
      assert.match(await broken.evaluate(() => window.lab.reply.title), /stick-slip/);
      assert.match(await broken.locator("#toast").textContent(), /damaged/);
      await broken.context().close();
    }
    for (const one of [page, other]) await one.context().close();
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
      return page.$$eval("#mode-motion .plot h2", (list) => list.map(({ textContent }) => textContent));
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
    // the bar of a long answer goes with it
    await page.evaluate(() => window.lab.engine.onProgress(0.5, 1000));
    assert.ok(await page.locator("#busy").isVisible());
    await page.evaluate(() => window.lab.engine.ask({ ask: "read", text: window.lab.state.text }));
    assert.ok(await page.locator("#busy").isHidden());
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
          else if (a < 0.95) pick(all("#controls .items button, #controls button.quiet"))?.click();
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

  async "slider to curves, frames and size are within their budgets"() {
    const page = await open();
    const first = await page.evaluate(() => window.lab.firstPicture);
    const size = statSync(file).size;
    const found = [];
    const sliders = [["stick_slip", "system.oscillator.friction.coulomb.mu", 25, 50], ["spinning_disc", "system.body.spin", 25, 50], ["blade_jenkins", "system.oscillator.friction.load", 200, 12]];
    for (const [name, path, budget, count] of sliders) {
      await openExample(page, name);
      await page.evaluate(() => window.lab.player.pause());
      const list = [];
      for (let i = 0; i < count + 4; i += 1) {
        await answered(page, () => slide(page, path, 400 + 3 * i));
        list.push(await page.evaluate(() => [window.lab.ms, window.lab.reply.ms]));
      }
      const own = (k) => median(list.slice(4).map((one) => one[k]));
      found.push({ name, budget, median: own(0), core: own(1) });
    }
    await openExample(page, "stick_slip");
    const frames = await page.evaluate(() => new Promise((resolve) => {
      const times = [];
      window.lab.player.play();
      const next = (now) => (times.push(now) < 61 ? requestAnimationFrame(next) : resolve(times.slice(1).map((t, i) => t - times[i])));
      requestAnimationFrame(next);
    }));
    for (const one of found) console.log(`  slider to curves: ${one.name} median ${one.median.toFixed(1)} ms (budget ${one.budget}), core ${one.core.toFixed(1)} ms`);
    console.log(`  frames ${median(frames).toFixed(1)} ms; first picture ${first.toFixed(0)} ms by the clock; page ${(size / 1e6).toFixed(2)} MB`);
    assert.ok(size <= 1.6e6);
    if (process.argv.includes("--budgets")) assert.ok(first < 1000 && median(frames) <= 20 && found.every((one) => one.median <= one.budget), JSON.stringify(found));
    await page.context().close();
  },

  async "axe finds no violation in any mode, light and wide, dark and narrow"() {
    for (const [colorScheme, viewport] of [["light", { width: 1440, height: 900 }], ["dark", { width: 390, height: 844 }]]) {
      // axe is put in from outside, which the page's own policy forbids
      const page = await open(address, { colorScheme, viewport, bypassCSP: true, reducedMotion: "reduce" });
      await page.evaluate(axe);
      const look = async (where) => {
        await page.waitForTimeout(150);
        const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
        assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]), [], `${where} ${colorScheme} ${viewport.width}`);
      };
      for (const mode of await page.evaluate(() => window.lab.modes.map(({ name }) => name))) {
        await page.evaluate((to) => window.lab.choose(to), mode);
        await look(mode);
      }
      await openExample(page, "spinning_disc");
      await look("body");
      await openExample(page, "damper_loads");
      await look("response");
      await page.click("#lessons");
      await look("lesson");
      await page.keyboard.press("Escape");
      await page.click("#examples");
      await look("gallery");
      await page.keyboard.press("Escape");
      if (viewport.width > 1000) {
        await page.click("#present");
        await look("present");
      } else {
        await page.click("#drawer");
        await look("drawer");
      }
      await page.context().close();
    }
  },

  async "the keyboard plays and steps from event to event"() {
    const page = await open();
    await openExample(page, "mass_on_belt");
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
