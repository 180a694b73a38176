// The frequency response of the present system, found steady state by steady state, with the present motion marked.

import { firstLoad } from "../loads.js";
import { el, short } from "../dom.js";
import { plain } from "../hints.js";
import { Plot } from "../plot/plot.js";
import { toToml } from "../toml.js";

const POINTS = 160;
const EMPTY = { x: {}, y: {}, curves: [] };

export class ResponseMode {
  name = "response";
  title = "Response";
  #plots = [new Plot("Amplitude over frequency"), new Plot("Phase over frequency")];
  #note = el("p", { class: "note", role: "status" });
  #remedy = el("button", { type: "button", hidden: "" }, "Add a harmonic load");
  #box = el("div", { class: "plots" });
  #turn = 0;

  constructor(engine, state) {
    Object.assign(this, { engine, state });
    this.#box.append(...this.#plots.map(({ element }) => element));
    this.#remedy.addEventListener("click", () => {
      const [kind] = Object.keys(this.state.filled.system);
      this.state.set([[["system", kind, "force"], { amplitude: 1, omega: 1, ...(kind === "oscillator" ? {} : { dof: 0 }) }]]);
    });
    this.element = el("div", { class: "mode" }, this.#note, this.#remedy, this.#box);
  }

  /** Nothing of another scenario stays. */
  clear(text = "") {
    this.#turn += 1;
    this.#note.textContent = text;
    this.#remedy.hidden = true;
    this.#box.hidden = true;
    for (const plot of this.#plots) plot.show(() => EMPTY);
  }

  async update(motion) {
    const { filled } = this.state;
    const load = firstLoad(filled);
    if (filled.system?.body || !motion.isMotion || !load) {
      this.clear(filled.system?.body ? "A body on the plane has no frequency response." : !motion.isMotion ? "This scenario is a response or a diagram itself: see its plots." : "A frequency response needs a harmonic load.");
      this.#remedy.hidden = Boolean(filled.system?.body) || !motion.isMotion;
      return;
    }
    const turn = (this.#turn += 1);
    const scenario = structuredClone(filled);
    scenario.analysis = { response: { parameter: load.parameter, from: 0.1 * load.omega, to: 3 * load.omega, points: POINTS } };
    if (scenario.integrator?.rk4 || scenario.integrator?.incremental) delete scenario.integrator;
    this.#note.textContent = "computing …";
    this.#remedy.hidden = true;
    const reply = await this.engine.ask({ ask: "run", text: toToml(scenario) }, { kind: "response" });
    if (!reply || turn !== this.#turn) return;
    if (!reply.ok) {
      const [{ message, hint }] = reply.diagnostics;
      this.clear(`No response: ${message}${hint ? ` – ${plain(hint)}` : ""}`);
      return;
    }
    this.#show(reply, motion, load.omega);
  }

  #show(reply, motion, omega) {
    const column = (wanted) => reply.samples.find(({ name }) => name === wanted || name.startsWith(`${wanted}_`));
    const x = { label: "angular frequency ω", symbol: "ω", unit: "rad/s", isTight: true };
    const isExact = Boolean(reply.scenario.integrator?.exact);
    this.#note.textContent = `${POINTS} periodic motions, ${isExact ? "each exact" : "each to the tolerance of the integrator"}, in ${short(reply.ms, 3)} ms. The dot is the present motion.`;
    const values = motion.values("position");
    const half = values ? (Math.max(...values) - Math.min(...values)) / 2 : undefined;
    this.#box.hidden = false;
    [column("amplitude"), column("phase")].forEach((one, i) => {
      this.#plots[i].element.hidden = !one;
      if (!one) return;
      const marks = i === 0 && half !== undefined ? [{ x: omega, y: half }] : [];
      this.#plots[i].show(() => ({
        x, y: { label: one.name.replaceAll("_", " "), symbol: one.symbol, unit: one.unit }, marks,
        curves: [{ name: "", x: reply.samples[0].values, y: one.values, colour: i === 0 ? "accent" : "force" }],
      }));
      this.#plots[i].point(() => [{ x: omega }]);
    });
  }

  time() {}
}
