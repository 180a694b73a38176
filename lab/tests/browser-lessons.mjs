// Every lesson, done through its own control: predicted, pointed at, noticed when done.

import assert from "node:assert/strict";
import { address, clean, open } from "./harness.mjs";

/** Places of a slider that are tried, outwards from the present one. */
const TRIED = 40;

/** Moves a slider away from its place, first one way and then the other, until the lesson is done. */
async function move(page, selector) {
  return page.evaluate(async ([control, count]) => {
    const slider = document.querySelector(control);
    const from = Number(slider.value);
    const max = Number(slider.max);
    const isDone = () => document.querySelector(".lesson").dataset.state === "done";
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    for (const end of [0, max]) {
      for (let i = 1; i <= count && !isDone(); i += 1) {
        slider.value = String(Math.round(from + ((end - from) * i) / count));
        const before = window.lab.runs;
        const compared = window.lab.compared;
        slider.dispatchEvent(new Event("input"));
        const deadline = performance.now() + 4000;
        // an answer of the core, or of the comparison
        while (window.lab.runs === before && window.lab.compared === compared && performance.now() < deadline && !isDone()) await pause(5);
      }
      if (isDone()) return true;
    }
    return isDone();
  }, [selector, TRIED]);
}

export const tests = {
  async "every lesson can be done with its own control, and notices it"() {
    const page = await open(address, { viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    await page.click("#lessons");
    const lessons = await page.evaluate(() => window.lab.lessons.lessons);
    assert.ok(lessons.length >= 8);
    for (const [i, lesson] of lessons.entries()) {
      assert.match(await page.locator(".lesson .count").textContent(), new RegExp(`${i + 1} of ${lessons.length}`));
      await page.waitForFunction((text) => (text ? window.lab.state.source.opened === text : true) && window.lab.reply.scenario && document.querySelector(".lesson").dataset.state === "predict", lesson.text ?? "");
      await page.waitForFunction((name) => !name || window.lab.state.source.name === name, lesson.example ?? "");
      await page.waitForTimeout(80);
      // nothing is done before a prediction
      const buttons = page.locator(".lesson .answers button");
      assert.ok((await buttons.count()) >= 2, lesson.title);
      await buttons.nth(0).click();
      assert.equal(await page.locator(".lesson").getAttribute("data-state"), "do", `${lesson.title}: done before anything was done`);
      const { control } = lesson.do;
      const selector = control.startsWith("#") ? control : `#controls [data-path="${control}"] input[type=range]`;
      // the lesson points at its control, which is in sight
      await page.waitForSelector(".pointed");
      const pointed = page.locator(".pointed");
      assert.equal(await pointed.count(), 1, lesson.title);
      assert.ok(await page.locator(selector).evaluate((slider) => {
        const box = slider.getBoundingClientRect();
        return slider.closest(".pointed") !== null && box.top >= 0 && box.bottom <= innerHeight;
      }), lesson.title);
      assert.ok(await move(page, selector), `${lesson.title}: its slider does not get there`);
      assert.ok(await page.evaluate(() => document.querySelector(".lesson").getBoundingClientRect().left >= document.getElementById("main").getBoundingClientRect().right), `${lesson.title}: the card covers plots`);
      assert.match(await page.locator(".lesson .verdict").textContent(), /Done/);
      await page.locator(".lesson .steps button").last().click();
    }
    assert.ok(await page.locator(".lesson").isHidden());
    // Escape ends a lesson and gives the focus back
    await page.focus("#lessons");
    await page.keyboard.press("Enter");
    assert.ok(await page.evaluate(() => document.activeElement.classList.contains("lesson")));
    await page.keyboard.press("Escape");
    assert.ok(await page.locator(".lesson").isHidden());
    assert.equal(await page.evaluate(() => document.activeElement.id), "lessons");
    clean(page);
    console.log(`  ${lessons.length} lessons`);
    await page.context().close();
  },

  async "on a phone the scene, the task and its slider are seen together"() {
    const page = await open(address, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" });
    await page.click("#lessons");
    const lessons = await page.evaluate(() => window.lab.lessons.lessons);
    for (const [i, { title, do: task }] of lessons.entries()) {
      if (task.control.startsWith("#")) continue;
      await page.evaluate((k) => window.lab.lessons.go(k), i);
      await page.waitForFunction((key) => document.querySelector(`#controls [data-path="${key}"]`), task.control);
      const answer = page.locator(".lesson .answers button").first();
      assert.ok(await answer.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight), `${title}: no answer is in sight`);
      await answer.click();
      await page.waitForSelector(".pointed");
      const slider = `#controls [data-path="${task.control}"] input[type=range]`;
      const seen = async (...wanted) => {
        const [scene, card, own] = await Promise.all(["#scene", ".lesson", slider].map((one) => page.locator(one).boundingBox()));
        assert.ok(scene.y >= 0 && scene.y + scene.height <= card.y && card.y + card.height <= own.y && own.y + own.height <= 844, `${title}: scene ${scene.y}, card ${card.y} to ${card.y + card.height}, slider ${own.y}`);
        for (const one of wanted) {
          const box = await page.locator(one).boundingBox();
          assert.ok(box && box.y >= card.y && box.y + Math.min(box.height, 20) <= card.y + card.height, `${title}: ${one} is not in sight`);
        }
      };
      await seen(".lesson .task");
      assert.ok(await move(page, slider), title);
      await seen(".lesson .verdict");
    }
    clean(page);
    await page.context().close();
  },
};
