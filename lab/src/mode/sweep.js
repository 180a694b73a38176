// A number of the outcome over one parameter, run by run.

import { el } from "../dom.js";
import { Plot } from "../plot/plot.js";
import { rangeOf, STEPS, valueAt } from "../range.js";
import { words } from "../schema.js";
import { at } from "../state.js";
import { FACTS, fillBox, parameters, pathOf, textAt } from "./parameters.js";

const RUNS = 41;
const FIRST = { parameter: ["mu", "omega", "spin", "load"], fact: FACTS };

export class SweepMode {
  name = "sweep";
  title = "Sweep";
  #plot = new Plot("Sweep");
  #note = el("p", { class: "note", role: "status" });
  #chosen = {};
  #turn = 0;
  #key = "";

  constructor(engine, state, schema) {
    Object.assign(this, { engine, state, schema });
    const select = (name, label) => el("select", { "aria-label": label, onchange: (event) => { this.#chosen[name] = event.target.value; this.#compute(); } });
    this.boxes = { parameter: select("parameter", "parameter that is varied"), fact: select("fact", "number shown") };
    this.element = el("div", { class: "mode" },
      el("div", { class: "bar card" }, el("label", { class: "pill" }, "vary", this.boxes.parameter), el("label", { class: "pill" }, "show", this.boxes.fact)),
      this.#note, el("div", { class: "plots one" }, this.#plot.element));
  }

  clear() {
    this.#turn += 1;
    this.#key = "";
    this.#note.textContent = "";
    this.#plot.show(() => ({ x: {}, y: {}, curves: [] }));
  }

  update(motion) {
    if (this.element.hidden) return;
    this.#chosen.parameter = fillBox(this.boxes.parameter, parameters(this.schema, this.state).map(({ path }) => path.join(".")), this.#chosen.parameter, FIRST.parameter);
    this.#chosen.fact = fillBox(this.boxes.fact, motion.reply.facts.filter(({ value }) => value !== null).map(({ name }) => name), this.#chosen.fact, FIRST.fact, words);
    if (!this.#chosen.parameter || !this.#chosen.fact) {
      this.clear();
      this.#note.textContent = "This scenario has no number to vary.";
    } else if (this.#key !== this.#keyNow()) this.#compute();
    else this.#mark();
  }

  /** The scenario but for the parameter itself: moving that moves only the mark. */
  #keyNow() {
    return textAt(this.state, [[this.#chosen.parameter, 1]]) + this.#chosen.parameter + this.#chosen.fact;
  }

  #mark() {
    const x = at(this.state.filled, pathOf(this.#chosen.parameter));
    this.#plot.point(() => [{ x }]);
  }

  async #compute() {
    const turn = (this.#turn += 1);
    this.#key = this.#keyNow();
    const { parameter, fact } = this.#chosen;
    const field = parameters(this.schema, this.state).find(({ path }) => path.join(".") === parameter);
    if (!field) return;
    const range = rangeOf(field);
    const values = Array.from({ length: RUNS }, (_, i) => valueAt(range, (STEPS * (i + 0.5)) / RUNS));
    const found = [];
    let [unit, reason] = ["-", ""];
    const start = performance.now();
    for (const value of values) {
      const reply = await this.engine.ask({ ask: "run", text: textAt(this.state, [[parameter, value]]) }, { kind: "sweep", limit: 5000 });
      if (turn !== this.#turn || this.element.hidden) return;
      const one = reply?.ok ? reply.facts.find(({ name }) => name === fact) : null;
      unit = one?.unit ?? unit;
      found.push(one?.value ?? NaN);
      if (reply && !reply.ok) reason ||= reply.diagnostics[0].message;
      if (found.length % 10 === 0) this.#note.textContent = `${found.length} of ${RUNS} runs`;
    }
    const failed = found.filter((value) => !Number.isFinite(value)).length;
    this.#note.textContent = `${RUNS} runs in ${((performance.now() - start) / 1000).toFixed(1)} s${failed ? `; ${failed} without a result${reason ? ` (${reason})` : ""}` : ""}. The line is the present value.`;
    const label = words(parameter.replace(/^system\.\w+\./, "").replaceAll(".", " "));
    this.#plot.show(() => ({
      x: { label, unit: field.unit, isLog: range.isLog, isTight: true }, y: { label: words(fact), unit },
      curves: [{ name: "", x: values, y: found, colour: "accent" }, { name: "", x: values, y: found, colour: "accent", isDots: true, isQuiet: true }],
    }));
    this.#mark();
    window.lab.sweep = { parameter, fact, values, found };
  }

  time() {}
}
