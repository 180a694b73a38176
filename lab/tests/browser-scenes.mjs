// Scenes and plots: scales that stay, pictures that are true, results that belong to their scenario.

import assert from "node:assert/strict";
import { address, answered, clean, open, openExample, slide } from "./harness.mjs";

/** Types a number into the box of a field. */
async function type(page, path, value) {
  const box = page.locator(`#controls [data-path="${path}"] input[type=text]`);
  await answered(page, async () => {
    await box.fill(String(value));
    await box.press("Enter");
  });
}

const settled = (page) => page.waitForFunction(() => !window.lab.scene.isMoving);

export const tests = {
  async "the scale of a scene is fixed when it opens, and grows only on overflow"() {
    const page = await open();
    await page.evaluate(() => window.lab.player.pause());
    const picture = () => page.evaluate(() => {
      const { motion, scene, player } = window.lab;
      player.seek(motion.from);
      return { scale: scene.place.scale, reach: motion.largest("position") };
    });
    const opened = await picture();
    await type(page, "system.oscillator.force.amplitude", 1.2);
    await settled(page);
    const small = await picture();
    assert.ok(small.reach < 0.6 * opened.reach);
    assert.equal(small.scale, opened.scale, "a smaller motion is drawn smaller");
    await type(page, "system.oscillator.force.amplitude", 6);
    await settled(page);
    const large = await picture();
    assert.ok(large.scale < opened.scale && large.reach * large.scale < 400, "a larger one is brought back into the picture");
    await openExample(page, "spinning_disc");
    const bounds = () => page.evaluate(() => window.lab.scene.bounds);
    const before = await bounds();
    await answered(page, () => slide(page, "system.body.spin", 520));
    assert.deepEqual(await bounds(), before, "less spin slides less far in the same frame");
    clean(page);
    await page.context().close();
  },

  async "free masses roll, and ties to the ground do not pass through other elements"() {
    const page = await open(address, { reducedMotion: "reduce" });
    for (const [name, masses] of [["backlash", [0]], ["damper_loads", [0]], ["bolted_joint", [0]], ["block_on_block", []], ["two_masses", []], ["dragged_block", []]]) {
      await openExample(page, name);
      assert.deepEqual(await page.evaluate(() => window.lab.scene.rolling), masses, name);
    }
    for (const name of ["end_stops", "end_stops_steady"]) {
      await openExample(page, name);
      const { ties, stops } = await page.evaluate(() => window.lab.scene.place);
      assert.deepEqual([ties.length, stops.length], [2, 2], name);
      for (const [x, top] of stops) for (const [x1, x2, y] of ties) assert.ok(x < x1 || x > x2 || top > y + 7, `${name}: a stop at ${x} reaches ${top}, a tie passes at ${y}`);
    }
    // a belt whose velocity varies moves as the core says
    await openExample(page, "lugre_lag");
    assert.ok(await page.evaluate(() => window.lab.scene.drawn.includes("belt")));
    await openExample(page, "turntable_block");
    assert.ok(await page.evaluate(() => window.lab.scene.drawn.includes("downhill")));
    for (const name of ["clutch", "one_way_clutch"]) {
      await openExample(page, name);
      const [from, to, rim] = await page.evaluate(() => { const { ties, centre, radius } = window.lab.scene.place; return [...ties.get("damper -1 1"), centre[1].x + radius]; });
      assert.ok(Math.min(from, to) >= rim - 1, `${name}: the damper of the second rotor is from ${from} to ${to}, its rim at ${rim}`);
    }
    clean(page);
    await page.context().close();
  },

  async "nothing of the last scenario stays beside the present one"() {
    const page = await open(address, { reducedMotion: "reduce" });
    await page.click("#tab-response");
    await page.waitForFunction(() => /periodic motions/.test(document.querySelector("#mode-response .note").textContent));
    await openExample(page, "spinning_disc", "response");
    assert.match(await page.locator("#mode-response .note").textContent(), /no frequency response/);
    assert.equal(await page.locator("#mode-response .plot:visible").count(), 0);
    // the response of the scenario that is opened, not of the one before
    await openExample(page, "stick_slip", "response");
    await page.waitForFunction(() => /periodic motions/.test(document.querySelector("#mode-response .note").textContent));
    await openExample(page, "end_stops", "response");
    const mark = await page.evaluate(async () => {
      while (!/periodic motions/.test(document.querySelector("#mode-response .note").textContent)) await new Promise((done) => setTimeout(done, 10));
      return window.lab.state.filled.system.oscillator.force.omega;
    });
    assert.equal(mark, 0.7);
    await openExample(page, "stick_slip", "compare");
    await page.waitForFunction(() => document.querySelectorAll("#mode-compare td").length >= 10);
    await openExample(page, "mass_on_belt", "compare");
    assert.equal(await page.locator("#mode-compare td").count(), 0);
    assert.match(await page.locator("#mode-compare .note").textContent(), /Coulomb/);
    await answered(page, () => page.click("#mode-compare button:visible"));
    await page.waitForFunction(() => document.querySelectorAll("#mode-compare td").length >= 10);
    // the fields of another scenario are read from their top
    await page.evaluate(() => { document.getElementById("controls").scrollTop = 400; });
    await openExample(page, "lugre_lag");
    assert.equal(await page.evaluate(() => document.getElementById("controls").scrollTop), 0);
    // events, title and description follow the scenario, also when it is undone
    await openExample(page, "free_decay");
    await page.evaluate(() => window.lab.player.step(1));
    assert.match(await page.locator(".event").textContent(), /reverse|stick/);
    await page.evaluate(() => window.lab.player.seek(0.1));
    assert.equal(await page.locator(".event").textContent(), "");
    await page.evaluate(() => window.lab.player.step(1));
    const about = await page.locator("#about").textContent();
    await openExample(page, "stick_slip");
    assert.equal(await page.locator(".event").textContent(), "");
    await answered(page, () => page.click("#undo"));
    assert.match(await page.locator("#title").textContent(), /Free decay/);
    assert.equal(await page.locator("#about").textContent(), about);
    clean(page);
    await page.context().close();
  },

  async "every choice of stick_slip ends in a motion or is greyed out with its reason"() {
    const page = await open(address, { reducedMotion: "reduce" });
    const isWrong = () => page.evaluate(() => !document.getElementById("errors").hidden || document.querySelector("#controls .error:not([hidden])") !== null);
    const wait = () => page.evaluate(async () => {
      const pause = (ms) => new Promise((done) => setTimeout(done, ms));
      await pause(30);
      while (window.lab.engine.isBusy) await pause(5);
      await pause(30);
    });
    const found = [];
    const kinds = await page.$$eval("#controls select", (list) => list.map((box) => [box.id, [...box.options].map(({ value }) => value)]));
    for (const [id, values] of kinds) {
      for (const value of values) {
        await openExample(page, "stick_slip");
        const select = page.locator(`#${id}`);
        if ((await select.count()) === 0) continue;
        await page.evaluate(([own, to]) => { const box = document.getElementById(own); box.value = to; box.dispatchEvent(new Event("change")); }, [id, value]);
        await wait();
        if (await isWrong()) found.push(`${id} ${value}: ${await page.evaluate(() => document.getElementById("errors").textContent + [...document.querySelectorAll("#controls .error:not([hidden])")].map((e) => e.textContent).join())}`);
      }
    }
    await openExample(page, "stick_slip");
    const adds = await page.evaluate(() => [...document.querySelectorAll("#controls .menu")].map((menu) => menu.querySelectorAll(".items button").length));
    let greyed = 0;
    for (const [i, count] of adds.entries()) {
      for (let k = 0; k < count; k += 1) {
        await openExample(page, "stick_slip");
        await page.evaluate((at) => { document.querySelectorAll("#controls .menu")[at].open = true; }, i);
        await wait();
        const [isOff, text] = await page.evaluate(([at, j]) => {
          const button = document.querySelectorAll("#controls .menu")[at].querySelectorAll(".items button")[j];
          const state = [button.disabled, button.textContent];
          button.click();
          return state;
        }, [i, k]);
        await wait();
        if (isOff) {
          greyed += 1;
          assert.match(text, /: .{8,}/, "a reason stands beside it");
        }
        if (await isWrong()) found.push(`+ ${text}: ${await page.locator("#errors").textContent()}`);
      }
    }
    assert.deepEqual(found, []);
    // what the core refuses cannot be chosen, and says why
    await openExample(page, "end_stops");
    await page.evaluate(() => document.getElementById("field-analysis").dispatchEvent(new Event("pointerenter")));
    await page.waitForFunction(() => document.querySelectorAll("#field-analysis option:disabled").length >= 2);
    const off = await page.$$eval("#field-analysis option:disabled", (list) => list.map(({ textContent }) => textContent));
    assert.ok(off.every((text) => / – .*stops/.test(text)), off.join());
    console.log(`  ${kinds.reduce((sum, [, values]) => sum + values.length, 0)} choices, ${adds.reduce((a, b) => a + b, 0)} additions, ${greyed} greyed out`);
    clean(page);
    await page.context().close();
  },

  async "round-off is not drawn as data, and axes have numbers beside their labels"() {
    const page = await open(address, { reducedMotion: "reduce" });
    await openExample(page, "turntable_block");
    const spin = await page.evaluate(async () => {
      const { plot } = window.lab.modes[0].shown.find(({ panel }) => panel.title === "Spin");
      plot.element.scrollIntoView();
      while (!plot.ranges) await new Promise((done) => setTimeout(done, 20));
      return plot.ranges.y;
    });
    assert.ok(spin[0] < 2.9 && spin[1] > 3.1, `a constant spin of 3 rad/s is drawn over ${spin}`);
    await openExample(page, "measured_stribeck");
    const ticks = await page.evaluate(async () => {
      const all = [];
      for (const { plot } of window.lab.modes[0].shown) {
        plot.element.scrollIntoView();
        while (!plot.ticks) await new Promise((done) => setTimeout(done, 20));
        all.push([plot.title, plot.ticks.x.map(({ text }) => text), plot.ticks.y.map(({ text }) => text)]);
      }
      return all;
    });
    for (const [title, x, y] of ticks) {
      assert.ok(x.length >= 2 && y.length >= 2, `${title}: ${x} and ${y}`);
      for (const text of [...x, ...y]) assert.doesNotMatch(text, /e/, title);
    }
    // long numbers of an axis do not run into each other on a phone
    const phone = await open(address, { reducedMotion: "reduce", viewport: { width: 390, height: 844 } });
    await openExample(phone, "lugre_lag");
    const crowded = await phone.evaluate(async () => {
      const context = document.createElement("canvas").getContext("2d");
      context.font = "12px system-ui, sans-serif";
      const found = [];
      for (const { plot } of window.lab.modes[0].shown) {
        plot.element.scrollIntoView();
        while (!plot.ticks) await new Promise((done) => setTimeout(done, 20));
        const [low, high] = plot.ranges.x;
        const places = plot.ticks.x.map(({ value, text }) => [((value - low) / (high - low)) * (plot.area.clientWidth - 90), context.measureText(text).width]);
        if (places.some(([at, width], i) => i > 0 && at - places[i - 1][0] < 0.5 * (width + places[i - 1][1]) + 2)) found.push(`${plot.title}: ${plot.ticks.x.map(({ text }) => text)}`);
      }
      return found;
    });
    assert.deepEqual(crowded, []);
    await phone.context().close();
    clean(page);
    await page.context().close();
  },

  async "small things: limit surface, marks, long titles, times, words of an edited scenario"() {
    const page = await open(address, { reducedMotion: "reduce" });
    // stick marks are drawn over those of reversals
    await openExample(page, "earthquake");
    const kinds = await page.$$eval(".marks i", (list) => list.map(({ className }) => className));
    const last = (kind) => kinds.lastIndexOf(kind);
    assert.ok(kinds.includes("reverse") && last("reverse") < kinds.indexOf("stick"));
    // the description is that of the file as opened
    await openExample(page, "den_hartog");
    assert.doesNotMatch(await page.locator("#about").textContent(), /as opened/);
    await answered(page, () => slide(page, "system.oscillator.friction.coulomb.mu", 500));
    assert.match(await page.locator("#about").textContent(), /as opened/);
    // a long word does not widen the page
    const text = await page.evaluate(() => window.lab.examples.find(({ name }) => name === "stick_slip").text);
    await answered(page, () => page.evaluate((content) => window.lab.openText(content), text.replace(/^title = .*$/m, `title = "${"x".repeat(900)}"`)));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 1440);
    // a time of 1e300 s is not written with 300 zeros
    await answered(page, () => page.evaluate((content) => window.lab.openText(content), text.replace("periods = 20\nwindow = [18, 20]", "duration = 1e-9")));
    assert.ok((await page.locator(".clock").textContent()).length < 24);
    await page.evaluate(() => { window.lab.player.show(0, 1e300, []); window.lab.player.seek(5e299); });
    assert.ok((await page.locator(".clock").textContent()).length < 24);
    // the limit surface of another body is gone before the new one is there
    await openExample(page, "spinning_disc");
    assert.match(await page.locator(".numbers .cost").first().textContent(), / · 1 event · /);
    const [blank, full] = await page.evaluate(async () => {
      const { engine } = window.lab;
      const ask = engine.ask.bind(engine);
      const canvas = document.querySelector("#side canvas:not(.base, .over)");
      // a picture that is blank but for a word compresses to little
      const sum = () => canvas.toDataURL().length;
      while (sum() < 12000) await new Promise((done) => setTimeout(done, 20));
      const full = sum();
      let held;
      engine.ask = (question, options) => (question.ask === "limit" ? new Promise((done) => { held = done; }) : ask(question, options));
      window.lab.openExample("sliding_block", "motion");
      while (!held) await new Promise((done) => setTimeout(done, 5));
      await new Promise((done) => setTimeout(done, 60));
      window.lab.player.seek(0);
      const blank = sum();
      engine.ask = ask;
      held(null);
      return [blank, full];
    });
    assert.ok(blank < 0.6 * full, `${blank} of ${full}`);
    clean(page);
    await page.context().close();
  },
};
