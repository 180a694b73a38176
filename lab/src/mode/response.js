// The frequency response of the present system, found steady state by steady state, with the present point marked.

import { firstOmega } from "../controls.js";
import { el } from "../dom.js";
import { Plot } from "../plot/plot.js";
import { toToml } from "../toml.js";

const POINTS = 160;

export class ResponseMode {
  name = "response";
  title = "Response";
  #plots = [new Plot("Amplitude over frequency"), new Plot("Phase over frequency")];
  #note = el("p", { class: "note", role: "status" });

  constructor(engine, state) {
    Object.assign(this, { engine, state });
    this.element = el("div", { class: "mode" }, this.#note, el("div", { class: "plots" }, ...this.#plots.map(({ element }) => element)));
  }

  isFor(motion) {
    const { filled } = this.state;
    return Boolean(firstOmega(filled)) && !filled.system?.body && motion.isMotion;
  }

  async update(motion) {
    if (!this.isFor(motion)) {
      this.#note.textContent = "Only a system on lines with a harmonic load has a frequency response.";
      return;
    }
    const omega = firstOmega(this.state.filled);
    const scenario = structuredClone(this.state.filled);
    scenario.analysis = { response: { parameter: "omega", from: 0.1 * omega, to: 3 * omega, points: POINTS } };
    const loads = [Object.values(scenario.system)[0].force ?? [], Object.values(scenario.system)[0].base ?? []].flat().filter((load) => load.omega);
    if (loads.length > 1) scenario.analysis.response.parameter = `${Object.keys(scenario.system)[0]}.force.0.omega`;
    if (scenario.integrator?.rk4 || scenario.integrator?.incremental) delete scenario.integrator;
    this.#note.textContent = "computing …";
    const reply = await this.engine.ask({ ask: "run", text: toToml(scenario) }, { kind: "response" });
    if (!reply) return;
    if (!reply.ok) {
      const [{ message, hint }] = reply.diagnostics;
      this.#note.textContent = `${message}${hint ? ` – ${hint}` : ""}`;
      return;
    }
    const column = (wanted) => reply.samples.find(({ name }) => name === wanted || name.startsWith(`${wanted}_`));
    const x = { label: "angular frequency ω", symbol: "ω", unit: "rad/s", isTight: true };
    this.#note.textContent = `${POINTS} periodic motions, each exact, in ${reply.ms.toFixed(0)} ms. The dot is the present motion.`;
    const amplitude = column("amplitude") ?? reply.samples[1];
    const phase = column("phase") ?? reply.samples[2];
    const values = motion.values("position");
    const half = values ? (Math.max(...values) - Math.min(...values)) / 2 : undefined;
    [amplitude, phase].forEach((one, i) => {
      if (!one) return;
      const marks = i === 0 && half !== undefined ? [{ x: omega, y: half, colour: "stick" }] : [];
      this.#plots[i].show(() => ({
        x, y: { label: one.name.replaceAll("_", " "), symbol: one.symbol, unit: one.unit }, marks,
        curves: [{ name: "", x: reply.samples[0].values, y: one.values, colour: i === 0 ? "slide" : "force" }],
      }));
      this.#plots[i].point(() => [{ x: omega }]);
    });
  }

  time() {}
}
