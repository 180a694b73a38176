// The numbers of the present outcome, its warnings and its cost.

import { el, short } from "./dom.js";
import { plain, readable } from "./hints.js";

const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/** Numbers that are shown first, in this order, where there are any. */
const WANTED = [
  "period", "amplitude", "stick_fraction", "cycle_friction_loss", "friction_loss", "stable", "peak_amplitude", "peak_at", "critical_at", "largest_damping",
  "stop_time", "path", "final_ratio", "position_max", "position_min", "position_0_max", "position_1_max", "velocity_max", "stick_fraction_0", "stick_fraction_1",
];
/** Facts that are 1 for yes and 0 for no. */
const ANSWERS = new Set(["stable", "complete"]);
const FIRST = 8;
/** Rows of the whole table; the facts of a thousand degrees of freedom are in the files that the command line writes. */
const MOST = 200;
/** Size relative to the largest fact of the same unit below which a fact is round-off. */
const ROUND_OFF = 1e-14;

export class Facts {
  element = el("section", { class: "card numbers", "aria-label": "numbers" });
  #isOpen = false;
  #signature = "";
  #cells = new Map();
  #cost = el("p", { class: "cost" });
  #reply = null;
  #largest = null;

  show(reply) {
    const events = reply.events.length;
    const steps = reply.work.steps + reply.work.implicit_steps;
    this.#cost.textContent = [`${reply.ms.toFixed(1)} ms`, events ? counted(events, "event") : "", steps ? counted(steps, "step") : "no steps"].filter(Boolean).join(" · ");
    const signature = JSON.stringify([reply.facts.map(({ name, unit }) => [name, unit]), reply.warnings]);
    if (signature !== this.#signature) this.#build(reply);
    this.#signature = signature;
    const largest = new Map();
    for (const { value, unit } of reply.facts) largest.set(unit, Math.max(largest.get(unit) ?? 0, Math.abs(value ?? 0)));
    this.#reply = reply;
    this.#largest = largest;
    this.#fill();
  }

  /** Puts the numbers into the cells that are there. */
  #fill() {
    const largest = this.#largest;
    for (const { name, value, unit } of this.#reply.facts) {
      const cell = this.#cells.get(name);
      if (!cell) continue;
      const isNoise = unit !== "-" && !/residual|error|drift/.test(name) && Math.abs(value) < ROUND_OFF * largest.get(unit);
      cell.textContent = value === null ? "–" : ANSWERS.has(name) ? (value ? "yes" : "no") : isNoise ? "0" : short(value, 6);
      cell.title = String(value);
    }
  }

  #build(reply) {
    this.#cells.clear();
    const row = ({ name, unit }) => {
      const cell = el("td");
      this.#cells.set(name, cell);
      return el("tr", {}, el("th", { scope: "row" }, name.replaceAll("_", " ")), cell, el("td", { class: "unit" }, unit === "-" ? "" : unit));
    };
    const rank = ({ name }) => (WANTED.includes(name) ? WANTED.indexOf(name) : WANTED.length);
    const list = reply.facts.map((fact, i) => ({ fact, i })).sort((a, b) => rank(a.fact) - rank(b.fact) || a.i - b.i).map(({ fact }) => fact);
    const table = (facts) => el("table", { class: "facts" }, el("tbody", {}, ...facts.map(row)));
    const first = table(list.slice(0, FIRST));
    // the rest is made when it is asked for
    const rest = list.slice(FIRST, FIRST + MOST);
    const left = list.length - FIRST - rest.length;
    const fill = (box) => {
      if (!box.open || box.children.length > 1) return;
      box.append(table(rest), left > 0 ? el("p", { class: "cost" }, `and ${left} more by stiction run`) : "");
      this.#fill();
    };
    const more = rest.length ? el("details", { open: this.#isOpen ? "" : null, ontoggle: (event) => { this.#isOpen = event.target.open; fill(event.target); } }, el("summary", {}, `${list.length - FIRST} more`)) : null;
    const warnings = reply.warnings.map(({ message, hint, is_failure }) => el("p", { class: is_failure ? "warning bad" : "warning" }, `${readable(message)}${hint ? ` – ${plain(hint)}` : ""}`));
    this.element.replaceChildren(el("h2", {}, "Numbers"), this.#cost, ...warnings, first, ...(more ? [more] : []));
  }
}
