// Views and comfort: explain, pin, reset, sweep, measured points, present, phone, fold, gallery, reload.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address, answered, clean, file, open, openCard, openExample, slide } from "./harness.mjs";

export const tests = {
  async "explain shows the forces, the limit of friction and the energy that it takes"() {
    const page = await open(address, { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    await page.click("#tab-explain");
    const found = await page.evaluate(() => {
      const { motion, modes, player, state } = window.lab;
      const explain = modes.find(({ name }) => name === "explain");
      return [0.1, 0.3, 0.45, 0.6, 0.9].map((part) => {
        player.seek(motion.from + part * (motion.to - motion.from));
        const place = motion.locate(player.t);
        const { mass } = state.filled.system.oscillator;
        return { ...explain.shown, inertia: mass * motion.value("acceleration", place) };
      });
    });
    for (const { forces, limit, inertia } of found) {
      assert.ok(Math.abs(forces.friction) <= limit * (1 + 1e-12), "friction stays in its band");
      const sum = Object.values(forces).reduce((a, b) => a + b, 0);
      assert.ok(Math.abs(sum - inertia) < 1e-9, `forces sum to ${sum}, m a is ${inertia}`);
    }
    const titles = () => page.$$eval("#mode-explain .plot", (list) => list.filter((one) => one.checkVisibility()).map((one) => one.querySelector("h2").textContent));
    assert.deepEqual(await titles(), ["Free body", "Friction law", "Energy"]);
    // in one glance: all three end above the fold of a laptop
    const bottoms = await page.$$eval("#mode-explain .plot", (list) => list.map((one) => one.getBoundingClientRect().bottom));
    assert.ok(bottoms.every((bottom) => bottom <= 900), String(bottoms));
    // every mass of a chain, under a record, beside a prescribed motion, and every rotor
    for (const name of ["blocks_on_belt", "earthquake", "dragged_block", "clutch", "block_on_block"]) {
      await openExample(page, name, "explain");
      const worst = await page.evaluate(() => {
        const { motion, modes, player, plan } = window.lab;
        const explain = modes.find((one) => one.name === "explain");
        const box = explain.element.querySelector("select");
        let most = 0;
        for (let i = 0; i < motion.kind("position").length; i += 1) {
          box.value = String(i);
          box.dispatchEvent(new Event("change"));
          for (const part of [0.11, 0.37, 0.83]) {
            player.seek(motion.from + part * (motion.to - motion.from));
            const { forces, limit } = explain.shown;
            const inertia = plan.masses[i] * motion.value("acceleration", motion.locate(player.t), i);
            const sum = Object.values(forces).reduce((a, b) => a + b, 0);
            const size = Object.values(forces).reduce((a, b) => Math.max(a, Math.abs(b)), 1e-9);
            // rows that are too small to be seen are left out
            most = Math.max(most, Math.abs(sum - inertia) / Math.max(size, explain.scale));
            if (Math.abs(forces.friction) > limit * (1 + 1e-9)) most = Infinity;
          }
        }
        return most;
      });
      assert.ok(worst < 0.01, `${name}: forces miss the inertia by ${worst} of the largest`);
    }
    // the band of friction is seen beside forces that are much larger, and the words say what the contact does
    const at = (part) => page.evaluate((one) => {
      const { motion, modes, player } = window.lab;
      player.seek(motion.from + one * (motion.to - motion.from));
      const explain = modes.find(({ name }) => name === "explain");
      return { band: explain.shown.band, words: explain.element.querySelector(".caption").textContent };
    }, part);
    for (const [name, words] of [["free_decay", /slides/], ["dc_motor", /slides/], ["backlash", /slides/], ["trigonometric_resonance", /slides/], ["paper-e-linear", /creeps at 0\.00\d+ m\/s/], ["bolted_joint", /elastic contact deflects/], ["pid_hunting", /sticks/]]) {
      await openExample(page, name, "explain");
      const found = await at(0.35);
      assert.ok(found.band > 0.13, `${name}: the band takes ${found.band} of the picture`);
      assert.match(found.words, words, name);
    }
    await openExample(page, "brake", "explain");
    assert.match((await at(0.35)).words, /open/);
    await openExample(page, "turntable_block", "explain");
    assert.match((await at(0.35)).words, /the force is μN/);
    // the law of a body is its limit surface; a response has a button that gives it a motion
    await openExample(page, "spinning_disc", "explain");
    assert.deepEqual(await titles(), ["Free body", "Limit surface", "Energy"]);
    await openExample(page, "blade_jenkins", "explain");
    await answered(page, () => page.click("#mode-explain button:visible"));
    assert.ok(await page.locator("#mode-explain figure").first().isVisible());
    clean(page);
    await page.context().close();
  },

  async "a run is pinned, measured points are laid over, changes are reset, one parameter is swept"() {
    const page = await open(address, { reducedMotion: "reduce" });
    const curves = () => page.evaluate(() => window.lab.modes[0].shown[0].plot.content.curves.map(({ name, y }) => [name, Math.max(...y)]));
    await page.click("#pin");
    const paints = await page.locator("#pin").evaluate((one) => { const { color, backgroundColor } = getComputedStyle(one); return [color, backgroundColor]; });
    assert.notEqual(paints[0], paints[1], "the word is seen below the mouse");
    await answered(page, () => slide(page, "system.oscillator.friction.coulomb.mu", 600));
    const [ghost, now] = await curves();
    assert.equal(ghost[0], "pinned");
    assert.ok(Math.abs(ghost[1] - 2.41798) < 1e-4 && now[1] < ghost[1]);
    await page.evaluate(() => window.lab.modes[0].shown[0].plot.element.querySelector("details").setAttribute("open", ""));
    await page.setInputFiles("#mode-motion .plot:first-child input[type=file]", { name: "run.csv", mimeType: "text/csv", buffer: Buffer.from("t,u\n230,1.5\n235;-2\nbad,line\n240\t0.5\n") });
    await page.waitForFunction(() => window.lab.modes[0].shown[0].plot.content.curves.at(-1).name === "run.csv");
    assert.deepEqual(await page.evaluate(() => [...window.lab.modes[0].shown[0].plot.content.curves.at(-1).x]), [230, 235, 240]);
    assert.equal(await page.evaluate(() => window.lab.reply.facts.length > 0 && window.lab.state.isChanged), true);
    await answered(page, () => page.click("#reset"));
    assert.equal(await page.evaluate(() => window.lab.state.text), await page.evaluate(() => window.lab.examples.find(({ name }) => name === "stick_slip").text));
    await page.click("#tab-sweep");
    await page.waitForFunction(() => window.lab.sweep);
    const { values, found, fact } = await page.evaluate(() => window.lab.sweep);
    assert.equal(fact, "stick_fraction");
    assert.ok(values.length === 41 && found[0] === 0 && found.at(-1) === 1);
    // a range in which some runs are refused says why
    await answered(page, async () => {
      await page.evaluate(() => window.lab.openText(window.lab.state.text.replace("mu = 1.0", "mu = 1.0, mu_static = 1.2")));
    });
    await page.waitForFunction(() => /without a result \(.*mu/.test(document.querySelector("#mode-sweep .note").textContent));
    await answered(page, () => page.click("#undo"));
    // any other parameter
    await page.selectOption("#mode-sweep select[aria-label^=parameter]", "system.oscillator.stiffness");
    await page.waitForFunction(() => window.lab.sweep.parameter === "system.oscillator.stiffness");
    // the picture goes slower or faster than time, and says by how much
    assert.match(await page.locator(".rate").textContent(), /faster/);
    await page.selectOption(".player select", "0.1");
    assert.match(await page.locator(".rate").textContent(), /10 × slower/);
    clean(page);
    await page.context().close();
  },

  async "comments, changes, theme and view survive a slider and a reload"() {
    const page = await open(address, { reducedMotion: "reduce" });
    await answered(page, () => slide(page, "system.oscillator.friction.coulomb.mu", 500));
    const text = await page.evaluate(() => window.lab.state.text);
    assert.match(text, /# mu_static = 1\.2 makes it harder to start/);
    assert.match(text, /^# A driven block/);
    await page.click("#theme");
    const theme = await page.evaluate(() => document.documentElement.dataset.theme);
    await page.click("#tab-explain");
    await answered(page, () => slide(page, "system.oscillator.friction.coulomb.mu", 510));
    const last = await page.evaluate(() => window.lab.state.text);
    await page.waitForTimeout(400);
    await page.reload();
    await page.waitForFunction(() => window.lab?.firstPicture > 0);
    assert.equal(await page.evaluate(() => window.lab.state.text), last);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), theme);
    assert.equal(await page.evaluate(() => window.lab.mode), "explain");
    await answered(page, () => page.click("#reset"));
    assert.match(await page.evaluate(() => window.lab.state.text), /mu = 1\.0/);
    clean(page);
    await page.context().close();
  },

  async "the modes begin above the fold of a laptop, and every card has one menu"() {
    const page = await open(address, { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    for (const mode of ["response", "compare", "sweep", "map", "text"]) {
      await page.click(`#tab-${mode}`);
      await page.waitForTimeout(mode === "text" ? 50 : 400);
      const { top, bottom } = await page.locator(`#mode-${mode} :is(.area, textarea)`).first().evaluate((one) => { const box = one.getBoundingClientRect(); return { top: box.top, bottom: box.bottom }; });
      assert.ok(top < 580 && (bottom <= 900 || mode === "text"), `${mode}: from ${top} to ${bottom}`);
    }
    await page.click("#tab-motion");
    const menus = await page.$$eval("#mode-motion .plot figcaption", (list) => list.map((one) => [one.querySelectorAll("details").length, one.querySelectorAll("figcaption > button").length]));
    assert.ok(menus.every(([many, loose]) => many === 1 && loose === 0));
    const adds = await page.$$eval("#controls .group > header", (list) => list.map((one) => one.querySelectorAll("details").length));
    assert.ok(adds.every((count) => count <= 1));
    clean(page);
    await page.context().close();
  },

  async "examples are found by topic and word, each with its sketch"() {
    const page = await open(address, { reducedMotion: "reduce" });
    await page.click("#examples");
    const topics = await page.$$eval(".gallery section h3", (list) => list.map(({ textContent }) => textContent));
    assert.ok(topics.length >= 8 && !topics.includes("Examples"), `an example has no topic: ${topics}`);
    // the sketch of a large model does not wait for the model to be built
    const read = await page.evaluate(async () => {
      const { engine } = window.lab;
      const [ask, found] = [engine.ask.bind(engine), []];
      engine.ask = (question, options) => (found.push(`${question.ask} ${options.kind}`), ask(question, options));
      const canvas = document.querySelector('.gallery canvas[data-name="thousand_blocks"]');
      canvas.scrollIntoView();
      while (canvas.toDataURL().length < 1500) await new Promise((done) => setTimeout(done, 20));
      engine.ask = ask;
      return found;
    });
    assert.ok(!read.includes("read sketch thousand_blocks"), String(read));
    await page.fill(".gallery input[type=search]", "clutch");
    assert.ok((await page.locator(".gallery .example:visible").count()) >= 2);
    await page.waitForFunction(() => {
      const canvas = document.querySelector('.gallery canvas[data-name="clutch"]');
      if (!canvas?.width) return false;
      // a picture that is blank compresses to almost nothing
      return canvas.toDataURL().length > 2000;
    });
    await answered(page, () => page.click('.gallery .example[data-name="one_way_clutch"]'));
    await openCard(page, "clutch");
    await openCard(page, "one_way_clutch");
    assert.match(await page.locator("#title").textContent(), /Freewheel/);
    // by the keyboard: Enter in the search opens the first example found, and the gallery is closed
    await page.focus("#examples");
    await page.keyboard.press("Enter");
    await page.fill(".gallery input[type=search]", "no such example");
    assert.match(await page.locator(".gallery [role=status]").textContent(), /No example/);
    await page.fill(".gallery input[type=search]", "earthquake isolator");
    await answered(page, () => page.keyboard.press("Enter"));
    assert.match(await page.locator("#title").textContent(), /isolator/);
    assert.ok(!(await page.evaluate(() => document.querySelector(".gallery").open)));
    // the comment of a file of one's own is its description
    await answered(page, () => page.evaluate(() => window.lab.openText(`# What I want to show.\n${window.lab.state.text.replace(/^(#.*\n)+/, "")}`, "mine.toml")));
    assert.match(await page.locator("#about").textContent(), /What I want to show/);
    clean(page);
    await page.context().close();
  },

  async "sketches and sweeps follow the theme, and the gallery can be closed on a phone"() {
    const look = async (page) => {
      await page.click("#tab-sweep");
      await page.waitForFunction(() => [...document.querySelectorAll(".note")].some(({ textContent }) => textContent.startsWith("41 runs")));
      await page.click("#examples");
      await page.waitForTimeout(900);
      const pictures = await page.evaluate(() => [document.querySelector('.gallery canvas[data-name="stick_slip"]'), ...[...document.querySelectorAll("figure.plot")].filter((one) => one.querySelector("h2").textContent === "Sweep").map((one) => one.querySelector("canvas.base"))].map((canvas) => {
        // mean lightness of what is drawn
        const copy = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }).getContext("2d", { willReadFrequently: true });
        copy.drawImage(canvas, 0, 0);
        const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
        let [sum, weight] = [0, 0];
        for (let i = 0; i < data.length; i += 4) {
          sum += (data[i + 3] * (data[i] + data[i + 1] + data[i + 2])) / 3;
          weight += data[i + 3];
        }
        return sum / weight;
      }));
      await page.keyboard.press("Escape");
      return pictures;
    };
    const page = await open(address, { reducedMotion: "reduce", colorScheme: "light" });
    const light = await look(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForTimeout(300);
    const turned = await look(page);
    const other = await open(address, { reducedMotion: "reduce", colorScheme: "dark" });
    const dark = await look(other);
    assert.equal(dark.length, 2);
    for (const k of [0, 1]) {
      assert.ok(Math.abs(dark[k] - light[k]) > 10, `picture ${k} has the lightness ${light[k]} in the light, ${dark[k]} in the dark`);
      assert.ok(Math.abs(turned[k] - dark[k]) < 0.2 * Math.abs(dark[k] - light[k]), `picture ${k} keeps the colours of the first theme: ${turned[k]}, not ${dark[k]}`);
    }
    const phone = await open(address, { viewport: { width: 390, height: 844 } });
    await phone.click("#examples");
    const close = await phone.locator(".gallery .close").boundingBox();
    assert.ok(close.x + close.width <= 390 && close.width >= 44 && close.height >= 44, JSON.stringify(close));
    await phone.click(".gallery .close");
    assert.ok(!(await phone.evaluate(() => document.querySelector(".gallery").open)));
    for (const one of [page, other, phone]) {
      clean(one);
      await one.context().close();
    }
  },

  async "a page whose core is older than the program says so"() {
    const folder = mkdtempSync(join(tmpdir(), "stiction-lab-"));
    const given = (core, more = {}) => {
      const path = join(folder, "page.html");
      writeFileSync(path, readFileSync(file, "utf8").replace('<script id="scenario" type="application/json">null<', `<script id="scenario" type="application/json">${JSON.stringify({ core, ...more })}<`));
      return `file://${path}`;
    };
    try {
      const page = await open(given("0123456789abcdef"));
      assert.match(await page.locator("#version").textContent(), /may differ/);
      // the facts of the program are compared with those of the page
      const text = await page.evaluate(() => window.lab.state.text);
      const facts = await page.evaluate(() => window.lab.reply.facts);
      const other = facts.map((fact) => (fact.name === "period" ? { ...fact, value: 1.01 * fact.value } : fact));
      for (const [list, wanted] of [[facts, /agree to the last bit/], [other, /differ by up to 0\.0099 \(period\)/], [[{ name: "new_one", value: 1 }], /a missing one \(new one\)/]]) {
        const compared = await open(given("0123456789abcdef", { text, name: "a.toml", facts: list }));
        assert.match(await compared.locator("#version").textContent(), wanted);
        await compared.context().close();
      }
      const own = await page.evaluate(() => document.querySelector('meta[name="stiction-core"]').content);
      assert.match(own, /^[0-9a-f]{16}$/);
      await page.context().close();
      const same = await open(given(own));
      assert.doesNotMatch(await same.locator("#version").textContent(), /may differ/);
      await same.context().close();
    } finally {
      rmSync(folder, { recursive: true });
    }
  },

  async "present mode fills a projector with large letters and two sliders"() {
    const page = await open(address, { viewport: { width: 1920, height: 1080 }, reducedMotion: "reduce" });
    await page.click("#present");
    await page.waitForTimeout(200);
    const size = (selector) => page.locator(selector).first().evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize));
    for (const selector of [".present .row label", ".present .clock", ".present .legend", ".present h2"]) assert.ok((await size(selector)) >= 24, selector);
    assert.equal(await page.locator(".present .sliders input[type=range]").count(), 2);
    const box = await page.locator(".present #scene").boundingBox();
    assert.ok(box.width > 900 && box.height > 500);
    await answered(page, () => page.locator(".present .sliders input[type=range]").first().evaluate((slider) => { slider.value = 500; slider.dispatchEvent(new Event("input")); }));
    await page.selectOption(".present select[aria-label='plot shown']", "Energy");
    await page.keyboard.press("Escape");
    assert.ok(await page.locator(".present").isHidden());
    assert.ok(await page.locator("main #scene").isVisible());
    clean(page);
    await page.context().close();
  },

  async "on a phone a slider and the scene are seen together, and targets are large"() {
    const page = await open(address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" });
    const header = await page.locator(".top").boundingBox();
    assert.ok(header.height <= 60, `header of ${header.height} px`);
    await page.evaluate(() => window.scrollTo(0, 700));
    await page.click("#drawer");
    for (const path of ["system.oscillator.force.omega", "system.oscillator.friction.coulomb.mu"]) {
      const slider = page.locator(`#controls [data-path="${path}"] input[type=range]`);
      await slider.evaluate((one) => one.scrollIntoView({ block: "center" }));
      const [own, scene] = [await slider.boundingBox(), await page.locator("#scene").boundingBox()];
      assert.ok(own.y >= 0 && own.y + own.height <= 844, `${path} at ${own.y}`);
      assert.ok(scene.y >= 0 && scene.y + scene.height <= own.y, `scene from ${scene.y}, slider at ${own.y}`);
      assert.ok(await slider.evaluate((one) => { const box = one.getBoundingClientRect(); return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === one; }), "nothing covers it");
    }
    await page.click("#drawer");
    for (const mode of ["map", "text", "explain", "motion"]) {
      await openExample(page, "stick_slip", mode);
      const { x, width } = await page.locator(`#tab-${mode}`).boundingBox();
      assert.ok(x >= 0 && x + width <= 390, `the tab ${mode} is at ${x} px`);
    }
    await page.click("#drawer");
    const small = await page.$$eval("button, select, summary, input[type=range], input[type=text]", (list) => list.filter((one) => one.checkVisibility()).map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()]).filter(([, { height, width }]) => height > 0 && width > 0 && height < 43.9).map(([html, { height }]) => `${html} ${height}`));
    assert.deepEqual(small, []);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    clean(page);
    await page.context().close();
  },
};
