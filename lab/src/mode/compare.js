// Exact Coulomb friction against laws that stand in for it, on the present system: curves and errors.

import { el, short } from "../dom.js";
import { Motion } from "../motion.js";
import { Plot } from "../plot/plot.js";
import { STEPS } from "../range.js";
import { toToml } from "../toml.js";

const COLOURS = ["force", "load", "third", "fourth"];
const ERRORS = [["trajectory", "largest distance", "m"], ["amplitude", "amplitude", "-"], ["dissipation", "energy lost", "-"], ["stick_fraction", "part of time in stick", "-"], ["creep", "creep while it should rest", "m/s"]];
const BEGIN = ["tanh", "linear"];
/** Widths from here to here (m/s). */
const WIDTHS = [1e-4, 1];

export class CompareMode {
  name = "compare";
  title = "Compare";
  #plots = [new Plot("Position, exact and regularised"), new Plot("Sliding velocity, exact and regularised")];
  #note = el("p", { class: "note", role: "status" });
  #table = el("table", { class: "facts" });
  #width = 0.1;
  #laws = new Set(BEGIN);
  #turn = 0;
  #remedy = el("button", { type: "button", hidden: "" }, "Use Coulomb friction in every contact");
  #results;
  #begin;

  constructor(engine, state, schema) {
    Object.assign(this, { engine, state });
    const kinds = schema.$defs.Contact.oneOf.map((one) => Object.entries(one.properties)[0]);
    const isRegularised = ([, ref]) => {
      const node = schema.$defs[ref.$ref.split("/").at(-1)];
      return [...(node.required ?? [])].sort().join() === "mu,width";
    };
    this.names = kinds.filter(isRegularised).map(([name]) => name);
    const out = el("output", {}, "");
    const slider = el("input", { id: "compare-width", type: "range", min: 0, max: STEPS, "aria-label": "width of the transition in m/s", value: Math.round(STEPS * 0.75) });
    const take = () => {
      this.#width = Number((WIDTHS[0] * (WIDTHS[1] / WIDTHS[0]) ** (slider.value / STEPS)).toPrecision(2));
      out.textContent = `${short(this.#width, 2)} m/s`;
    };
    take();
    this.#begin = () => {
      slider.value = String(Math.round(STEPS * 0.75));
      take();
    };
    slider.addEventListener("input", () => {
      take();
      this.update(this.motion);
    });
    const boxes = this.names.map((name) => {
      const box = el("input", { type: "checkbox", onchange: () => {
        if (box.checked) this.#laws.add(name);
        else this.#laws.delete(name);
        this.update(this.motion);
      } });
      box.checked = this.#laws.has(name);
      return el("label", { class: "pill" }, box, name.replaceAll("-", " "));
    });
    this.#remedy.addEventListener("click", () => this.#makePossible());
    this.#results = el("div", { class: "mode" }, el("div", { class: "plots" }, ...this.#plots.map(({ element }) => element)), el("div", { class: "card scroll", tabindex: "0", role: "region", "aria-label": "errors" }, this.#table));
    this.element = el("div", { class: "mode" },
      el("div", { class: "bar card" }, el("label", { class: "wide" }, "width ", slider, out), ...boxes), this.#note, this.#remedy, this.#results);
  }

  /** Nothing of another scenario stays. */
  clear(text = "") {
    this.#turn += 1;
    // another scenario begins with the width of all
    if (!text) this.#begin();
    this.#note.textContent = text;
    this.#remedy.hidden = true;
    this.#results.hidden = true;
    this.#table.replaceChildren();
    for (const plot of this.#plots) plot.show(() => ({ x: {}, y: {}, curves: [] }));
    window.lab.compared = null;
  }

  /** Coulomb friction with the coefficient of each contact's law. */
  #makePossible() {
    const [kind, system] = Object.entries(this.state.filled.system)[0];
    const path = ["system", kind, "friction"];
    const swap = (contact) => {
      const law = Object.keys(contact).find((key) => contact[key]?.mu !== undefined || typeof contact[key] === "object");
      const { [law]: old, ...rest } = contact;
      const mu = [old?.mu ?? 0.5].flat().reduce((sum, one) => sum + one, 0);
      return { coulomb: { mu }, ...rest };
    };
    const { friction } = system;
    const changes = Array.isArray(friction) ? [[path, friction.map(swap)]] : [[path, friction ? swap(friction) : { coulomb: { mu: 0.5 } }]];
    this.state.set([...changes, [["integrator"], undefined]]);
  }

  async update(motion) {
    this.motion = motion;
    const { filled } = this.state;
    const contacts = [Object.values(filled.system ?? {})[0]?.friction ?? []].flat();
    if (filled.system?.body || !filled.analysis?.transient || !contacts.length || contacts.some((contact) => !contact.coulomb)) {
      this.clear(filled.system?.body ? "Compare is for systems on lines, not for a body on the plane." : "Compare needs a transient in which every contact has the Coulomb law.");
      this.#remedy.hidden = Boolean(filled.system?.body) || !filled.analysis?.transient;
      return;
    }
    const turn = (this.#turn += 1);
    this.#remedy.hidden = true;
    const laws = this.names.filter((name) => this.#laws.has(name)).slice(0, COLOURS.length);
    const runs = [];
    for (const name of laws) {
      const scenario = structuredClone(filled);
      for (const contact of [Object.values(scenario.system)[0].friction].flat()) {
        contact[name] = { mu: contact.coulomb.mu, width: this.#width };
        delete contact.coulomb;
      }
      scenario.integrator = { adaptive: {} };
      const reply = await this.engine.ask({ ask: "run", text: toToml(scenario) }, { kind: `compare-${name}` });
      if (!reply || turn !== this.#turn) return;
      if (reply.ok) runs.push([name, new Motion(reply)]);
    }
    const rows = await this.engine.ask({ ask: "compare", text: this.state.text, laws: laws.map((name) => [name, this.#width]) });
    if (!rows || turn !== this.#turn) return;
    if (!rows.ok) {
      this.clear(rows.diagnostics[0].message);
      return;
    }
    this.#results.hidden = false;
    this.#note.textContent = `Width ${short(this.#width, 2)} m/s; the fastest sliding is ${short(rows.speed, 3)} m/s. The exact contact rests without creeping.`;
    ["position", "sliding"].forEach((quantity, i) => {
      const column = motion.column(quantity);
      if (!column) return;
      const curve = (name, one, colour, dash) => ({ name, x: one.t, y: one.values(quantity), colour, dash, width: dash ? 1.8 : 2.6 });
      this.#plots[i].show(() => ({
        x: { label: "time", symbol: "t", unit: "s", isTight: true }, y: { label: i ? "v" : "u", unit: column.unit },
        curves: [curve("exact", motion, "ink"), ...runs.map(([name, one], k) => curve(name, one, COLOURS[k], [6, 4]))],
      }));
    });
    this.#show(rows.rows ?? []);
    window.lab.compared = { width: this.#width, rows: rows.rows ?? [] };
    window.lab.onProgress?.();
  }

  #show(rows) {
    const head = el("tr", {}, el("th", { scope: "col" }, "error of"), ...rows.map((row) => el("th", { scope: "col" }, row.law)));
    const body = ERRORS.map(([key, text, unit]) => el("tr", {}, el("th", { scope: "row" }, `${text}${unit === "-" ? "" : ` (${unit})`}`),
      ...rows.map((row) => el("td", {}, row[key] === null ? "–" : unit === "-" && key !== "stick_fraction" ? `${short(100 * row[key], 3)} %` : short(row[key], 3)))));
    this.#table.replaceChildren(el("thead", {}, head), el("tbody", {}, ...body));
  }

  time(motion, t) {
    for (const plot of this.#plots) plot.point(() => [{ x: t }]);
  }
}
