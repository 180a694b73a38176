// The numbers of the present outcome, its warnings and what it cost.

import { el, short } from "./dom.js";

/** Facts that are shown first. */
const FIRST = 10;

export class Facts {
  element = el("section", { class: "card numbers", "aria-label": "numbers" });
  #isOpen = false;

  #signature = "";
  #cells = [];
  #cost = el("p", { class: "cost" });

  show(reply) {
    const events = reply.events.length;
    const steps = reply.work.steps + reply.work.implicit_steps;
    this.#cost.textContent = [`${reply.ms.toFixed(1)} ms`, events ? `${events} events` : "", steps ? `${steps} steps` : "no steps"].filter(Boolean).join(" · ");
    const signature = JSON.stringify([reply.facts.map(({ name, unit }) => [name, unit]), reply.warnings]);
    if (signature !== this.#signature) this.#build(reply);
    this.#signature = signature;
    reply.facts.forEach(({ value }, i) => {
      this.#cells[i].textContent = value === null ? "–" : short(value, 6);
      this.#cells[i].title = String(value);
    });
  }

  #build(reply) {
    this.#cells = [];
    const row = ({ name, unit }) => {
      const cell = el("td");
      this.#cells.push(cell);
      return el("tr", {}, el("th", { scope: "row" }, name.replaceAll("_", " ")), cell, el("td", { class: "unit" }, unit === "-" ? "" : unit));
    };
    const list = reply.facts;
    const table = (facts) => el("table", { class: "facts" }, el("tbody", {}, ...facts.map(row)));
    const first = table(list.slice(0, FIRST));
    const more = list.length > FIRST
      ? el("details", { open: this.#isOpen ? "" : null, ontoggle: (event) => { this.#isOpen = event.target.open; } }, el("summary", {}, `${list.length - FIRST} more`), table(list.slice(FIRST)))
      : null;
    const warnings = reply.warnings.map(({ message, hint, is_failure }) => el("p", { class: is_failure ? "warning bad" : "warning" }, `${message}${hint ? ` – ${hint}` : ""}`));
    this.element.replaceChildren(el("h3", {}, "Numbers"), this.#cost, ...warnings, first, ...(more ? [more] : []));
  }
}
