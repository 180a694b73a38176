// Parameters of a scenario that a sweep or a map varies.

import { el } from "../dom.js";
import { fields, words } from "../schema.js";

/** Facts that are shown first, where there are any. */
export const FACTS = ["stick_fraction", "stop_time", "amplitude", "position_max", "stick_fraction_0", "position_0_max"];

const key = (part) => (/^\d+$/.test(part) ? Number(part) : part);
export const pathOf = (name) => name.split(".").map(key);

/** Numbers of the system that are written, or that must be. */
export function parameters(schema, { tree, filled }) {
  const all = fields(schema, tree, filled).flatMap((group) => group.items);
  return all.filter((item) => item.type === "number" && !item.isIndex && typeof item.value === "number" && item.path[0] === "system" && (item.isWritten || item.default === undefined));
}

/** The scenario with values at named paths; extrema and fractions do not depend on the samples, so there are few. */
export function textAt(state, values) {
  const changes = values.map(([name, value]) => [pathOf(name), value]);
  if (state.tree.analysis?.transient) changes.push([["analysis", "transient", "samples"], 11]);
  return state.textWith(changes);
}

/** Puts choices into a box; gives the one that is chosen: the last one if it is still there, else the first that is wanted. */
export function fillBox(box, values, chosen, wanted, label = (value) => words(value.replace(/^system\.\w+\./, ""))) {
  const isKnown = values.includes(chosen);
  const first = wanted.map((end) => values.find((value) => value.split(".").at(-1) === end || value === end)).find(Boolean) ?? values[0];
  if ([...box.options].map(({ value }) => value).join() !== values.join()) box.replaceChildren(...values.map((value) => el("option", { value }, label(value))));
  const now = isKnown ? chosen : first;
  box.value = now ?? "";
  return now;
}
