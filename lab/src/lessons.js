// Lessons: a prediction, something to do with one control, and what was to be seen. Each is a file of data in `lab/lessons`.

import { el, short } from "./dom.js";
import { at } from "./state.js";

export class Lessons {
  #at = -1;
  #chosen = null;
  #isDone = false;
  #back = null;
  /** The last outcome of the lesson's own scenario. */
  #last = null;
  #now = el("output", { class: "now" });
  element = el("aside", { class: "lesson card", hidden: "", "aria-label": "lesson", tabindex: "-1" });

  /** `open` shows a lesson's scenario, `reveal` gives the element of a control and brings it into sight. */
  constructor(lessons, { open, reveal, state }) {
    Object.assign(this, { lessons, open, reveal, state });
    addEventListener("keydown", (event) => { if (event.key === "Escape" && this.isOpen && !document.querySelector("dialog[open], details.menu[open]")) this.close(); });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  get present() {
    return this.lessons[this.#at];
  }

  begin(index = 0) {
    this.#back = document.activeElement;
    this.go(index);
  }

  go(index) {
    const lesson = this.lessons[index];
    if (!lesson) return this.close();
    [this.#at, this.#chosen, this.#isDone] = [index, null, false];
    this.#now.textContent = "";
    this.#last = null;
    this.element.hidden = false;
    this.#point(null);
    this.open(lesson);
    this.#show();
    this.element.focus({ preventScroll: true });
  }

  close() {
    this.element.hidden = true;
    this.#point(null);
    this.#at = -1;
    this.#back?.focus?.();
  }

  /** The outcome has changed: is the task done? */
  check(reply, compared) {
    const lesson = this.present;
    this.#last = [reply, compared];
    if (!lesson || this.#chosen === null || !reply) return;
    // the fields of a scenario are made when the core has read it, which may be after the prediction
    if (!document.querySelector(".pointed")) this.#point(lesson.do.control);
    const given = { reply, compared, tree: this.state.filled };
    const found = numberOf(lesson.do.until, given);
    this.#now.textContent = typeof found === "number" ? `now ${inUnit(found, lesson.do.until)}` : "";
    if (this.#isDone) return;
    this.#isDone = isMet(lesson.do.until, given);
    if (this.#isDone) this.#show();
  }

  #predict(choice) {
    this.#chosen = choice;
    this.#show();
    this.#point(this.present.do.control);
    if (this.#last) this.check(...this.#last);
    this.element.querySelector("h2").focus({ preventScroll: true });
  }

  /** Marks the control of the task, and brings it into sight. */
  #point(control) {
    for (const old of document.querySelectorAll(".pointed")) old.classList.remove("pointed");
    const found = control && this.reveal(control);
    found?.classList.add("pointed");
  }

  #show() {
    const { title, intro, predict, do: task, seen } = this.present;
    const last = this.#at + 1 === this.lessons.length;
    const button = (text, act, name = "") => el("button", { type: "button", class: name, onclick: act }, text);
    const jump = el("select", { "aria-label": "choose a lesson", onchange: (event) => this.go(Number(event.target.value)) },
      ...this.lessons.map((one, i) => el("option", { value: i, selected: i === this.#at ? "" : null }, `${i + 1}. ${one.title}`)));
    const head = [el("div", { class: "head" }, el("p", { class: "count" }, `Lesson ${this.#at + 1} of ${this.lessons.length}`), jump, el("button", { type: "button", class: "quiet close", "aria-label": "end the lesson", onclick: () => this.close() }, "×")), el("h2", { tabindex: "-1" }, title)];
    const body = this.#chosen === null
      ? [el("p", {}, intro), el("p", { class: "question" }, predict.question), el("div", { class: "answers", role: "group", "aria-label": "your prediction" }, ...predict.options.map((text, i) => button(text, () => this.#predict(i))))]
      : [el("p", { class: "yours" }, `Your prediction: ${predict.options[this.#chosen]}`), el("p", { class: this.#isDone ? "task done" : "task" }, task.say, " ", this.#now)];
    const end = this.#isDone
      ? [el("p", { class: "verdict", role: "status" }, this.#chosen === predict.answer ? "Done, and as you predicted." : `Done. It is: ${predict.options[predict.answer]}`), el("p", {}, seen)]
      : [];
    const steps = el("div", { class: "steps" }, this.#at > 0 ? button("Back", () => this.go(this.#at - 1)) : null, last ? button("End", () => this.close(), this.#isDone ? "primary" : "") : button("Next lesson", () => this.go(this.#at + 1), this.#isDone ? "primary" : ""));
    this.element.replaceChildren(...head, ...body, ...end, steps);
    this.element.dataset.state = this.#isDone ? "done" : this.#chosen === null ? "predict" : "do";
  }
}

/** Whether a condition holds: a fact, a value of the scenario, or an error of the first compared law, within bounds. */
export function isMet(until, given) {
  const { at_least: least = -Infinity, at_most: most = Infinity } = until;
  const found = numberOf(until, given);
  return typeof found === "number" && found >= least && found <= most;
}

/** A number as it stands beside: errors of Compare in per cent, but those of velocities and of stick fractions. */
function inUnit(found, { compare }) {
  return compare && !["creep", "stick_fraction"].includes(compare) ? `${short(100 * found, 3)} %` : short(found, 3);
}

/** The number that a condition is about. */
function numberOf({ fact, value, compare }, { reply, compared, tree }) {
  return fact ? reply.facts.find(({ name }) => name === fact)?.value
    : value ? at(tree, value.split(".").map((key) => (/^\d+$/.test(key) ? Number(key) : key)))
    : compared?.rows[0]?.[compare];
}
