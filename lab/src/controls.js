// Fields and sliders for every parameter of the scenario, made from the schema.

import { el } from "./dom.js";
import { placeOf, rangeOf, STEPS, valueAt } from "./range.js";
import { fields, plainTable, words } from "./schema.js";
import { at } from "./state.js";

/** What a table begins with whose schema asks for nothing. */
const START = {
  force: { amplitude: 1, omega: 1 }, stop: { lower: -0.5, upper: 0.5, restitution: 0.5 }, control: { kp: 1, kd: 0.5 },
  spring: { positions: [-1, -0.5, 0.5, 1], forces: [-2.5, -0.5, 0.5, 2.5] },
  load_varies: { amplitude: 0.5, omega: 1 }, belt_varies: { amplitude: 0.1, omega: 1 }, table: { times: [0, 1], values: [0, 1] },
};

export class Controls {
  #root;
  #schema;
  #state;
  #signature = "";
  #rows = new Map(); // path → what updates its row
  #ranges = new Map();
  #isOpen = new Map();

  constructor(root, schema, state) {
    this.#root = root;
    this.#schema = schema;
    this.#state = state;
  }

  /** Another scenario: ranges are made anew. */
  forget() {
    this.#ranges.clear();
    this.#signature = "";
  }

  /** Shows the present values. */
  update() {
    const groups = fields(this.#schema, this.#state.tree, this.#state.filled);
    const signature = JSON.stringify(groups.map((g) => [g.path, g.items.map((i) => [i.path, i.type, i.present, i.isWritten])]));
    if (signature !== this.#signature) {
      this.#signature = signature;
      this.#build(groups);
    }
    for (const item of groups.flatMap((group) => group.items)) this.#rows.get(item.path.join("."))?.(item);
  }

  /** Shows errors at their fields; gives those that have none. */
  showErrors(diagnostics) {
    for (const row of this.#root.querySelectorAll("[data-path]")) setError(row, null);
    const homeless = [];
    for (const diagnostic of diagnostics) {
      const row = this.#rowOf(diagnostic.key);
      if (row) {
        setError(row, diagnostic);
        row.closest("details")?.setAttribute("open", "");
      } else homeless.push(diagnostic);
    }
    return homeless;
  }

  #rowOf(key) {
    const rows = [...this.#root.querySelectorAll("[data-path]")];
    if (!key) return null;
    const find = (path) => rows.find((row) => row.dataset.path === path);
    return find(key) ?? rows.find((row) => row.dataset.path.startsWith(`${key}.`));
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
    const title = el("h3", {}, words(group.title));
    const remove = group.isRemovable
      ? el("button", { class: "quiet", type: "button", title: `remove ${words(group.title)}`, "aria-label": `remove ${words(group.title)}`, onclick: () => this.#remove(group.path) }, "×")
      : null;
    const more = rest.length
      ? el("details", { open: this.#isOpen.get(key) ? "" : null, ontoggle: (event) => this.#isOpen.set(key, event.target.open) },
          el("summary", {}, `${rest.length} more`), ...rest.map((item) => this.#row(item)))
      : null;
    return el("section", { class: "group", "aria-label": words(group.title) },
      el("header", {}, title, remove),
      ...shown.map((item) => this.#row(item)),
      more,
      adds.length ? el("div", { class: "adds" }, ...adds.map((item) => this.#add(item))) : null);
  }

  #row(item) {
    const make = { number: numberRow, boolean: booleanRow, text: textRow, enum: textRow, kind: kindRow, matrix: matrixRow }[item.type];
    const [row, update] = make(item, {
      set: (path, value) => this.#state.set([[path, value]]),
      choose: (chosen, name) => this.#choose(chosen, name),
      range: (field) => this.#range(field),
    });
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

  #choose(item, name) {
    const kind = item.kinds.find((one) => one.name === name);
    const { path } = item;
    if (path.length === 1 && name === "") return this.#state.set([[path, undefined]]);
    if (kind.isWord) return this.#state.set([[path, name]]);
    const before = { ...(at(this.#state.filled, [...path, item.present]) ?? {}), ...(at(this.#state.tree, [...path, item.present]) ?? {}) };
    const table = plainTable(this.#schema, kind.schema, this.#hints(path, before, name));
    const written = at(this.#state.tree, path);
    const changes = item.kinds.filter((one) => written?.[one.name] !== undefined).map((one) => [[...path, one.name], undefined]);
    if (typeof written === "string") changes.push([path, {}]);
    changes.push([[...path, name], table]);
    // the integrator that fits one law may refuse another: let it be chosen anew
    if (path.includes("friction")) changes.push([["integrator"], undefined]);
    this.#state.set(changes);
  }

  /** What is known of the values of a new table. */
  #hints(path, before, name) {
    const omega = firstOmega(this.#state.filled);
    if (path[0] === "integrator") {
      const isFixed = name === "rk4" || name === "incremental";
      return isFixed ? (omega ? { steps_per_period: 2000 } : { step: 1e-3 }) : {};
    }
    if (path[0] === "analysis") {
      return omega ? { from: 0.2 * omega, to: 2 * omega, parameter: "omega" } : { parameter: "mass", from: 0.5, to: 2 };
    }
    const hints = { ...before };
    for (const key of Object.keys(hints)) if (typeof hints[key] !== "number") delete hints[key];
    if (path.includes("shape")) return { length: 0.3, width: 0.2, ...hints };
    hints.radius = 0.5 * (hints.width ??= 0.01);
    if (hints.mu !== undefined) hints.mu_static ??= Number((1.3 * hints.mu).toPrecision(6));
    return hints;
  }

  #add(item) {
    const label = `+ ${words(item.key)}`;
    const add = () => {
      const value = { ...START[item.key], ...plainTable(this.#schema, item.schema, {}) };
      const many = at(this.#state.filled, item.path);
      if (item.isList || Array.isArray(many)) this.#state.set([[[...item.path, many?.length ?? 0], value]].map(([p, v]) => (many ? [p, v] : [item.path, [v]])));
      else this.#state.set([[item.path, value]]);
    };
    return el("button", { class: "add", type: "button", title: item.description, onclick: add }, label);
  }

  #remove(path) {
    const parent = at(this.#state.tree, path.slice(0, -1));
    const isLast = Array.isArray(parent) && parent.length === 1;
    this.#state.set([[isLast ? path.slice(0, -1) : path, undefined]]);
  }
}

function isRequired(item) {
  return item.type === "matrix" || (!item.isOptional && item.default === undefined && item.type !== "add");
}

/** Angular frequency of the first harmonic load. */
export function firstOmega(filled) {
  const system = Object.values(filled.system ?? {})[0] ?? {};
  const loads = [system.force ?? [], system.base ?? []].flat();
  return loads.find((load) => load.omega > 0)?.omega;
}

function shell(item, ...children) {
  const id = `field-${item.path.join("-")}`;
  const label = item.label ?? words(item.key);
  const unit = item.unit && item.unit !== "-" ? item.unit : "";
  const error = el("p", { class: "error", id: `${id}-error`, hidden: "" });
  return { id, label, unit, error, children };
}

function numberRow(item, { set, range }) {
  const { id, label, unit, error } = shell(item);
  const box = el("input", { id, type: "text", inputmode: "decimal", autocomplete: "off", "aria-describedby": `${id}-error`, spellcheck: "false" });
  const slider = el("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": `${label}${unit ? ` in ${unit}` : ""}` });
  const row = el("div", { class: "row", "data-path": item.path.join(".") },
    el("label", { for: id, title: item.description }, label), box, el("span", { class: "unit" }, unit), slider, error);
  let present = item;
  let isTyping = false;
  slider.addEventListener("input", () => {
    const value = valueAt(range(present), Number(slider.value));
    slider.setAttribute("aria-valuetext", `${value} ${unit}`);
    box.value = String(value);
    set(item.path, value);
  });
  slider.addEventListener("dblclick", () => present.default !== undefined && set(item.path, present.default ?? undefined));
  const typed = () => {
    const text = box.value.trim();
    if (text === "" && (item.isOptional || item.default !== undefined)) return set(item.path, undefined);
    const value = Number(text.replace(",", "."));
    // what is no number is put to the core as it is, which says what is wrong with it
    set(item.path, text !== "" && Number.isFinite(value) ? value : text);
  };
  box.addEventListener("focus", () => { isTyping = true; });
  box.addEventListener("blur", () => { isTyping = false; });
  box.addEventListener("change", typed);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") typed();
    if ((event.key === "ArrowUp" || event.key === "ArrowDown") && typeof present.value === "number") {
      event.preventDefault();
      const step = (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 50 : 5);
      const place = Math.min(STEPS, Math.max(0, placeOf(range(present), present.value) + step));
      const value = valueAt(range(present), place);
      box.value = String(value);
      set(item.path, value);
    }
  });
  const update = (field) => {
    present = field;
    const { value } = field;
    const isNumber = typeof value === "number";
    if (!isTyping || document.activeElement !== box) box.value = isNumber ? String(value) : (value ?? "");
    box.placeholder = field.isOptional ? "auto" : "";
    if (document.activeElement !== slider && isNumber) slider.value = String(placeOf(range(field), value));
    if (isNumber) slider.setAttribute("aria-valuetext", `${value} ${unit}`);
    slider.classList.toggle("unset", !isNumber);
  };
  return [row, update];
}

function booleanRow(item, { set }) {
  const { id, label, error } = shell(item);
  const box = el("input", { id, type: "checkbox", onchange: () => set(item.path, box.checked) });
  const row = el("div", { class: "row plain", "data-path": item.path.join(".") }, el("label", { for: id, title: item.description }, label), box, error);
  return [row, (field) => { box.checked = Boolean(field.value ?? field.default); }];
}

function textRow(item, { set }) {
  const { id, label, error } = shell(item);
  const box = el("input", { id, type: "text", spellcheck: "false", onchange: () => set(item.path, box.value) });
  const row = el("div", { class: "row plain", "data-path": item.path.join(".") }, el("label", { for: id, title: item.description }, label), box, error);
  return [row, (field) => { if (document.activeElement !== box) box.value = field.value ?? ""; }];
}

function kindRow(item, { choose }) {
  const { id, error } = shell(item);
  const isChoice = item.path.length === 1 && item.path[0] === "integrator";
  const box = el("select", { id, onchange: () => choose(item, box.value) },
    isChoice ? el("option", { value: "" }, "automatic") : null,
    ...item.kinds.map(({ name, description }) => el("option", { value: name, title: description }, words(name).replaceAll("-", " "))));
  const note = el("p", { class: "note" });
  const name = { friction: "law", integrator: "method", analysis: "kind" }[item.path.find((key) => ["friction", "integrator", "analysis"].includes(key))] ?? words(item.key);
  const label = item.path.at(-1) === "pressure" || item.path.at(-1) === "shape" || !item.path.some((key) => key === "friction" || key === "integrator" || key === "analysis") || typeof item.value === "string" ? words(item.key) : name;
  const row = el("div", { class: "row kind", "data-path": item.path.join(".") }, el("label", { for: id, title: item.description }, label), box, note, error);
  return [row, (field) => {
    const isAutomatic = isChoice && !field.isWritten;
    box.value = isAutomatic ? "" : (field.present ?? "");
    const kind = field.kinds.find(({ name }) => name === field.present);
    note.textContent = `${isAutomatic && kind ? `${words(kind.name)}: ` : ""}${kind?.description ?? ""}`;
  }];
}

function matrixRow(item, { set }) {
  const { id, label, unit, error } = shell(item);
  const rows = item.value;
  const cell = (i, j) => el("input", {
    type: "text", inputmode: "decimal", "aria-label": `${label}, row ${i}, column ${j}`, value: rows[i][j],
    onchange: (event) => {
      const value = Number(event.target.value);
      set([...item.path, i, j], Number.isFinite(value) && event.target.value.trim() !== "" ? value : event.target.value);
    },
  });
  const table = el("div", { class: "matrix", id, style: `--n:${rows[0]?.length ?? 1}` }, ...rows.flatMap((row, i) => row.map((_, j) => cell(i, j))));
  const row = el("div", { class: "row whole", "data-path": item.path.join(".") }, el("span", { class: "label", title: item.description }, `${label}${unit ? ` (${unit})` : ""}`), table, error);
  return [row, (field) => {
    const boxes = table.querySelectorAll("input");
    field.value.flat().forEach((value, i) => { if (boxes[i] && document.activeElement !== boxes[i]) boxes[i].value = value; });
  }];
}

function setError(row, diagnostic) {
  const error = row.querySelector(":scope > .error");
  if (!error) return;
  error.hidden = !diagnostic;
  row.classList.toggle("wrong", Boolean(diagnostic));
  row.querySelector("input, select")?.setAttribute("aria-invalid", String(Boolean(diagnostic)));
  error.textContent = diagnostic ? `${diagnostic.message}${diagnostic.hint ? ` – ${diagnostic.hint}` : ""}` : "";
}
