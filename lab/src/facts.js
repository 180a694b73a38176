// The numbers of the present outcome, its warnings and what it cost.

import { el, short } from "./dom.js";

/** Facts that are shown first. */
const FIRST = 10;

export class Facts {
  element = el("section", { class: "card numbers", "aria-label": "numbers" });
  #isOpen = false;

  show(reply) {
    const row = ({ name, value, unit }) => el("tr", {}, el("th", { scope: "row" }, name.replaceAll("_", " ")),
      el("td", { title: String(value) }, value === null ? "–" : short(value, 6)), el("td", { class: "unit" }, unit === "-" ? "" : unit));
    const list = reply.facts;
    const table = (facts) => el("table", { class: "facts" }, el("tbody", {}, ...facts.map(row)));
    const more = list.length > FIRST
      ? el("details", { open: this.#isOpen ? "" : null, ontoggle: (event) => { this.#isOpen = event.target.open; } }, el("summary", {}, `${list.length - FIRST} more`), table(list.slice(FIRST)))
      : null;
    const events = reply.events.length;
    const steps = reply.work.steps + reply.work.implicit_steps;
    const cost = [`${reply.ms.toFixed(1)} ms`, events ? `${events} events` : "", steps ? `${steps} steps` : "no steps"].filter(Boolean).join(" · ");
    const warnings = reply.warnings.map(({ message, hint, is_failure }) => el("p", { class: is_failure ? "warning bad" : "warning" }, `${message}${hint ? ` – ${hint}` : ""}`));
    this.element.replaceChildren(el("h3", {}, "Numbers"), el("p", { class: "cost" }, cost), ...warnings, table(list.slice(0, FIRST)), ...(more ? [more] : []));
  }
}
