// Fields and sliders for every parameter of the scenario, made from the schema.

import { el, menu } from "./dom.js";
import { firstLoad } from "./loads.js";
import { possible } from "./options.js";
import { rangeOf } from "./range.js";
import { booleanRow, kindRow, matrixRow, numberRow, setError, textRow } from "./rows.js";
import { fields, plainTable, words } from "./schema.js";
import { at } from "./state.js";

/** Start values of tables whose schema requires none. */
const START = {
  force: { amplitude: 1, omega: 1 }, stop: { lower: -0.5, upper: 0.5, restitution: 0.5 }, control: { kp: 1, kd: 0.5 },
  spring: { positions: [-1, -0.5, 0.5, 1], forces: [-2.5, -0.5, 0.5, 2.5] }, base: { amplitude: 0.1, omega: 1 }, prescribed: { position: { amplitude: 0.1, omega: 1 } },
  load_varies: { amplitude: 0.5, omega: 1 }, belt_varies: { amplitude: 0.1, omega: 1 }, table: { times: [0, 1], values: [0, 1] },
  compare: { law: "tanh", width: 0.1 }, state_space: { a: [[-1]], b_position: [[1]], f_state: [[-1]] }, acceleration: { times: [0, 1], values: [0, 1] },
};
/** Start values of analyses: few harmonics answer within a second. */
const ANALYSES = { "nonlinear-mode": { mode: 0, from: 0.1, to: 3, points: 24, harmonic_balance: { harmonics: 5 } } };
/** Elements that act on one degree of freedom. */
const PLACED = new Set(["force", "stop", "control", "spring", "prescribed", "friction", "state_space"]);
const ROWS = { number: numberRow, boolean: booleanRow, text: textRow, enum: textRow, kind: kindRow, matrix: matrixRow };

export class Controls {
  #root;
  #schema;
  #state;
  #signature = "";
  #rows = new Map(); // path → what updates its row
  #ranges = new Map();
  #isOpen = new Map();
  #examined = new Map(); // text and path → what the core said of each choice
  /** Asks the core; set when it is there. */
  engine = null;
  /** Reports to the user. */
  say = () => {};

  constructor(root, schema, state) {
    this.#root = root;
    this.#schema = schema;
    this.#state = state;
  }

  /** Another scenario: ranges are set again. */
  forget() {
    this.#ranges.clear();
    this.#signature = "";
  }

  /** Shows the present values. */
  update() {
    const groups = fields(this.#schema, this.#state.tree, this.#state.filled);
    const signature = JSON.stringify(groups.map((g) => [g.path, g.items.map((i) => [i.path, i.type, i.present, i.isWritten, i.unit])]));
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#build(groups);
    }
    for (const item of groups.flatMap((group) => group.items)) this.#rows.get(item.path.join("."))?.(item);
  }

  /** Numbers that are written, for a view that shows a few of them. */
  get numbers() {
    const all = fields(this.#schema, this.#state.tree, this.#state.filled).flatMap((group) => group.items);
    return all.filter((item) => item.type === "number" && !item.isIndex && item.isWritten && typeof item.value === "number" && item.path[0] === "system");
  }

  /** A row for a number, outside the panel. */
  rowFor(item) {
    return numberRow(item, this.#acts());
  }

  /** Shows errors at their fields; gives those that have none. */
  showErrors(diagnostics) {
    for (const row of this.#root.querySelectorAll("[data-path]")) setError(row, null);
    const homeless = [];
    for (const diagnostic of diagnostics) {
      const row = this.rowOf(diagnostic.key);
      if (row) {
        setError(row, diagnostic);
        row.closest("details:not(.menu)")?.setAttribute("open", "");
      } else homeless.push(diagnostic);
    }
    return homeless;
  }

  /** The row of a key, or the nearest one above or below it. */
  rowOf(key) {
    const rows = [...this.#root.querySelectorAll("[data-path]")];
    if (!key) return null;
    const find = (path) => rows.find((row) => row.dataset.path === path);
    const above = key.split(".").map((_, i, parts) => parts.slice(0, parts.length - i).join("."));
    return find(key) ?? rows.find((row) => row.dataset.path.startsWith(`${key}.`)) ?? above.slice(1, -1).map(find).find(Boolean) ?? null;
  }

  #build(groups) {
    const focused = document.activeElement?.id;
    const scroll = this.#root.scrollTop;
    this.#rows.clear();
    this.#root.replaceChildren(...groups.map((group) => this.#group(group)));
    this.#root.scrollTop = scroll;
    if (focused && this.#root.querySelector(`#${CSS.escape(focused)}`)) document.getElementById(focused).focus();
  }

  #group(group) {
    const shown = group.items.filter((item) => item.type !== "add" && ((item.type === "kind" && !item.isIdle) || item.isWritten || isRequired(item)));
    const rest = group.items.filter((item) => !shown.includes(item) && item.type !== "add");
    const adds = group.items.filter((item) => item.type === "add");
    const key = group.path.join(".");
    const title = words(group.title);
    const remove = group.isRemovable
      ? el("button", { class: "quiet", type: "button", title: `remove ${title}`, "aria-label": `remove ${title}`, onclick: () => this.#remove(group.path) }, "×")
      : null;
    const more = rest.length
      ? el("details", { open: this.#isOpen.get(key) ? "" : null, ontoggle: (event) => this.#isOpen.set(key, event.target.open) },
          el("summary", {}, `${rest.length} more`), ...this.#titled(rest))
      : null;
    return el("section", { class: "group", "aria-label": title },
      el("header", {}, el("h3", {}, title), adds.length ? this.#adds(title, adds) : null, remove), ...this.#titled(shown), more);
  }

  /** Rows below the headings of the tables that they are in; those without a heading come first, so that they stand below none. */
  #titled(items) {
    let last = "";
    const rank = ({ heading }) => Number(Boolean(heading));
    return [...items].sort((a, b) => rank(a) - rank(b)).flatMap((item) => {
      const heading = item.heading ?? "";
      const isNew = heading !== last;
      last = heading;
      return [...(isNew && heading ? [el("h4", {}, heading)] : []), this.#row(item)];
    });
  }

  #acts() {
    return {
      set: (path, value) => this.#state.set([[path, value]]),
      choose: (item, name) => this.#choose(item, name),
      range: (field) => this.#range(field),
      examine: (item, report) => this.#examine(item, report),
    };
  }

  #row(item) {
    const [row, update] = ROWS[item.type](item, this.#acts());
    this.#rows.set(item.path.join("."), update);
    return row;
  }

  #range(field) {
    const key = field.path.join(".");
    let range = this.#ranges.get(key);
    const value = field.value;
    const isOutside = range && typeof value === "number" && (value < range.from || value > range.to);
    if (!range || isOutside) {
      const fresh = rangeOf(field);
      range = range && !fresh.isLog ? { ...fresh, from: Math.min(fresh.from, range.from), to: Math.max(fresh.to, range.to) } : fresh;
      this.#ranges.set(key, range);
    }
    return range;
  }

  /** Changes that another kind means; none if it is a word or nothing. */
  #changesTo(item, name) {
    const { path } = item;
    if (path.length === 1 && name === "") return [[path, undefined]];
    const kind = item.kinds.find((one) => one.name === name);
    if (kind.isWord) return [[path, name]];
    const before = { ...(at(this.#state.filled, [...path, item.present]) ?? {}), ...(at(this.#state.tree, [...path, item.present]) ?? {}) };
    const table = plainTable(this.#schema, kind.schema, this.#hints(path, before, name));
    Object.assign(table, path[0] === "analysis" ? ANALYSES[name] : {});
    const written = at(this.#state.tree, path);
    const changes = item.kinds.filter((one) => written?.[one.name] !== undefined).map((one) => [[...path, one.name], undefined]);
    if (typeof written === "string") changes.push([path, {}]);
    changes.push([[...path, name], table]);
    // the method that suits one law may refuse another: let it be chosen anew
    if (path.includes("friction")) changes.push([["integrator"], undefined]);
    return changes;
  }

  async #choose(item, name) {
    const changes = this.#changesTo(item, name);
    const found = this.engine && (await possible(this.engine, this.#state, item.path, changes, "choose"));
    if (!found) return;
    if (found.reason) {
      this.say(`${words(name).replaceAll("-", " ")} is not possible here: ${found.reason}`);
      this.update();
      return;
    }
    if (found.words) this.say(`${words(name).replaceAll("-", " ")}: ${found.words}`);
    this.#state.set(found.changes);
  }

  /** Asks the core about every choice of a box, once for a scenario. */
  async #examine(item, report) {
    const key = `${item.path.join(".")} ${this.#state.text}`;
    if (this.#examined.get(item.path.join(".")) === key || !this.engine) return;
    this.#examined.set(item.path.join("."), key);
    for (const { name } of item.kinds) {
      if (name === item.present) continue;
      const found = await possible(this.engine, this.#state, item.path, this.#changesTo(item, name), "examine");
      if (!found) {
        this.#examined.delete(item.path.join("."));
        return;
      }
      report(name, found);
    }
  }

  /** What is known of the values of a new table. */
  #hints(path, before, name) {
    const omega = firstLoad(this.#state.filled)?.omega;
    if (path[0] === "integrator") {
      const isFixed = name === "rk4" || name === "incremental";
      return isFixed ? (omega ? { steps_per_period: 2000 } : { step: 1e-3 }) : {};
    }
    if (path[0] === "analysis") {
      if (name === "stability") return { parameter: "mu", from: 0.1, to: 1 };
      if (name === "transient") return omega ? {} : { duration: 20 };
      return omega ? { from: 0.2 * omega, to: 2 * omega, parameter: "omega" } : { parameter: "mass", from: 0.5, to: 2 };
    }
    const hints = { ...before };
    for (const key of Object.keys(hints)) if (typeof hints[key] !== "number") delete hints[key];
    if (path.includes("shape")) return { length: 0.3, width: 0.2, ...hints };
    hints.radius = 0.5 * (hints.width ??= 0.01);
    if (hints.mu !== undefined) hints.mu_static ??= Number((1.3 * hints.mu).toPrecision(6));
    return hints;
  }

  /** One menu for all that can be added to a group; what the core would refuse is greyed out with the reason. */
  #adds(title, adds) {
    const buttons = adds.map((item) => el("button", { type: "button", title: item.description, onclick: () => this.#add(item) }, words(item.key)));
    const box = menu("+ Add", `add to ${title}`, ...buttons);
    box.addEventListener("toggle", async () => {
      if (!box.open || !this.engine) return;
      for (const [i, item] of adds.entries()) {
        const found = await possible(this.engine, this.#state, item.path, this.#additions(item), "examine");
        if (!found) return;
        buttons[i].disabled = Boolean(found.reason);
        buttons[i].textContent = `${words(item.key)}${found.reason ? `: ${found.reason}` : found.words ? ` (${found.words})` : ""}`;
      }
    });
    return box;
  }

  #additions(item) {
    const isOne = Object.keys(this.#state.filled.system ?? {})[0] === "oscillator";
    const place = PLACED.has(item.key) && !isOne && !this.#state.filled.system?.body ? { dof: 0 } : {};
    const table = plainTable(this.#schema, item.schema, {});
    const known = Object.fromEntries(Object.entries(item.schema.properties ?? {}));
    const value = { ...table, ...START[item.key], ...("dof" in known || item.schema.oneOf ? place : {}) };
    const many = at(this.#state.filled, item.path);
    if (Array.isArray(many)) return [[[...item.path, many.length], value]];
    return [[item.path, item.isList ? [value] : value]];
  }

  async #add(item) {
    const found = this.engine && (await possible(this.engine, this.#state, item.path, this.#additions(item), "choose"));
    if (!found) return;
    if (found.reason) this.say(`${words(item.key)} cannot be added: ${found.reason}`);
    else {
      if (found.words) this.say(`${words(item.key)}: ${found.words}`);
      this.#state.set(found.changes);
    }
  }

  async #remove(path) {
    const parent = at(this.#state.tree, path.slice(0, -1));
    const whole = Array.isArray(parent) && parent.length === 1 ? path.slice(0, -1) : path;
    const found = this.engine && (await possible(this.engine, this.#state, whole, [[whole, undefined]], "choose"));
    if (!found) return;
    if (found.reason) this.say(`this cannot be removed: ${found.reason}`);
    else {
      if (found.words) this.say(found.words);
      this.#state.set(found.changes);
    }
  }
}

function isRequired(item) {
  return item.type === "matrix" || (!item.isOptional && item.default === undefined && item.type !== "add");
}
