// One row of the controls for each kind of field. A row comes with a function that shows another value in it.

import { el } from "./dom.js";
import { plain } from "./hints.js";
import { placeOf, STEPS, valueAt } from "./range.js";
import { words } from "./schema.js";

function shell(item) {
  const id = `field-${item.path.join("-")}`;
  const label = item.label ?? words(item.key);
  const unit = item.unit && item.unit !== "-" ? item.unit : "";
  const error = el("p", { class: "error", id: `${id}-error`, hidden: "" });
  const name = el("label", { for: id, title: item.description }, label, item.symbol ? el("i", { class: "symbol", "aria-hidden": "true" }, ` ${item.symbol}`) : null);
  return { id, label, unit, error, name };
}

/** A number of seven digits in its shorter form, for a box that nobody edits. */
export function shown(value) {
  const plain = String(Number(value.toPrecision(7)));
  const power = Number(value.toPrecision(7)).toExponential().replace("e+", "e");
  return plain.length > 7 && power.length < plain.length ? power : plain;
}

/** A box as wide as its number, beside its padding. */
function fit(box) {
  box.style.width = `calc(${Math.min(18, Math.max(5, box.value.length))}ch + 1.2rem)`;
}

export function numberRow(item, { set, range }) {
  const { id, label, unit, error, name } = shell(item);
  const spoken = `${item.heading ? `${item.heading} ` : ""}${label}`;
  const box = el("input", { id, type: "text", inputmode: "decimal", autocomplete: "off", "aria-describedby": `${id}-error`, spellcheck: "false" });
  const slider = item.isIndex ? null : el("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": `${spoken}${unit ? ` in ${unit}` : ""}` });
  const row = el("div", { class: "row", "data-path": item.path.join(".") }, name, box, el("span", { class: "unit" }, unit), slider, error);
  let present = item;
  let isTyping = false;
  const show = (value) => {
    box.value = value;
    box.title = value;
    fit(box);
  };
  slider?.addEventListener("input", () => {
    const value = valueAt(range(present), Number(slider.value));
    slider.setAttribute("aria-valuetext", `${value} ${unit}`);
    show(String(value));
    set(item.path, value);
  });
  slider?.addEventListener("dblclick", () => present.default !== undefined && set(item.path, present.default ?? undefined));
  const typed = () => {
    const text = box.value.trim();
    if (text === "" && (item.isOptional || item.default !== undefined)) return set(item.path, undefined);
    const value = Number(text.replace(",", "."));
    // a text that is no number goes to the core as it is, which reports what is wrong with it
    set(item.path, text !== "" && Number.isFinite(value) ? value : text);
  };
  // all digits are shown to the one who edits them
  box.addEventListener("focus", () => {
    isTyping = true;
    if (typeof present.value === "number" && box.value === shown(present.value)) show(String(present.value));
  });
  box.addEventListener("blur", () => {
    isTyping = false;
    if (typeof present.value === "number" && box.value === String(present.value)) show(shown(present.value));
  });
  box.addEventListener("input", () => fit(box));
  box.addEventListener("change", typed);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") typed();
    if ((event.key === "ArrowUp" || event.key === "ArrowDown") && typeof present.value === "number") {
      event.preventDefault();
      const sign = event.key === "ArrowUp" ? 1 : -1;
      const place = Math.min(STEPS, Math.max(0, placeOf(range(present), present.value) + sign * (event.shiftKey ? 50 : 5)));
      const value = item.isIndex ? Math.max(0, present.value + sign) : valueAt(range(present), place);
      show(String(value));
      set(item.path, value);
    }
  });
  const update = (field) => {
    present = field;
    const { value } = field;
    const isNumber = typeof value === "number";
    if (!isTyping || document.activeElement !== box) {
      show(isNumber ? shown(value) : (value ?? ""));
      box.title = String(value ?? "");
    }
    box.placeholder = field.isOptional ? "auto" : "";
    if (!slider) return;
    if (document.activeElement !== slider && isNumber) slider.value = String(placeOf(range(field), value));
    if (isNumber) slider.setAttribute("aria-valuetext", `${value} ${unit}`);
    slider.classList.toggle("unset", !isNumber);
  };
  return [row, update];
}

export function booleanRow(item, { set }) {
  const { id, error, name } = shell(item);
  const box = el("input", { id, type: "checkbox", onchange: () => set(item.path, box.checked) });
  const row = el("div", { class: "row plain", "data-path": item.path.join(".") }, name, box, error);
  return [row, (field) => { box.checked = Boolean(field.value ?? field.default); }];
}

/** Letters of a text in a line of its box. */
const LINE = 32;

export function textRow(item, { set }) {
  const { id, error, name } = shell(item);
  // a formula may take several lines, but is one
  const box = el("textarea", { id, rows: 1, spellcheck: "false", autocomplete: "off", onchange: () => set(item.path, box.value.replaceAll("\n", " ")) });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    box.dispatchEvent(new Event("change"));
  });
  const row = el("div", { class: "row plain", "data-path": item.path.join(".") }, name, box, error);
  return [row, (field) => {
    if (document.activeElement !== box) box.value = field.value ?? "";
    box.rows = Math.ceil(Math.max(1, box.value.length) / LINE);
    row.classList.toggle("whole", box.value.length > LINE / 2);
  }];
}

const NAMED = { friction: "law", integrator: "method", analysis: "kind" };

function kindLabel(item) {
  const own = item.path.find((key) => key in NAMED);
  const isOwn = item.path.at(-1) === "pressure" || item.path.at(-1) === "shape" || !own || typeof item.value === "string";
  return isOwn ? words(item.key) : NAMED[own];
}

export function kindRow(item, { choose, examine }) {
  const { id, error } = shell(item);
  const isChoice = item.path.length === 1 && item.path[0] === "integrator";
  const option = ({ name, description }) => el("option", { value: name, title: description }, words(name).replaceAll("-", " "));
  const options = item.kinds.map(option);
  const box = el("select", { id, onchange: () => choose(item, box.value) }, isChoice ? el("option", { value: "" }, "automatic") : null, ...options);
  const note = el("p", { class: "note" });
  const row = el("div", { class: "row kind", "data-path": item.path.join(".") }, el("label", { for: id, title: item.description }, kindLabel(item)), box, note, error);
  // choices that the core would refuse are greyed out when the box is reached for
  const look = () => examine(item, (name, found) => {
    const at = options[item.kinds.findIndex((kind) => kind.name === name)];
    at.disabled = Boolean(found.reason);
    at.textContent = `${words(name).replaceAll("-", " ")}${found.reason ? ` – ${found.reason}` : ""}`;
  });
  for (const event of ["pointerenter", "focus"]) box.addEventListener(event, look);
  return [row, (field) => {
    const isAutomatic = isChoice && !field.isWritten;
    box.value = isAutomatic ? "" : (field.present ?? "");
    const kind = field.kinds.find(({ name }) => name === field.present);
    note.textContent = `${isAutomatic && kind ? `${words(kind.name)}: ` : ""}${kind?.description ?? ""}`;
  }];
}

/** Columns of a list of numbers. */
const LIST = 5;

export function matrixRow(item, { set }) {
  const { id, label, unit, error } = shell(item);
  // a list is a matrix of one row, which goes over several lines
  const isList = !Array.isArray(item.value[0]);
  const rows = isList ? [item.value] : item.value;
  const place = (i, j) => (isList ? [...item.path, j] : [...item.path, i, j]);
  const spoken = (i, j) => (isList ? `${label} ${j}` : `${label}, row ${i}, column ${j}`);
  const cell = (i, j) => el("input", {
    type: "text", inputmode: "decimal", "aria-label": spoken(i, j), value: rows[i][j],
    onchange: (event) => {
      const value = Number(event.target.value);
      set(place(i, j), Number.isFinite(value) && event.target.value.trim() !== "" ? value : event.target.value);
    },
  });
  const table = el("div", { class: "matrix", id, style: `--n:${isList ? LIST : (rows[0]?.length ?? 1)}` }, ...rows.flatMap((row, i) => row.map((_, j) => cell(i, j))));
  const row = el("div", { class: "row whole", "data-path": item.path.join(".") }, el("span", { class: "label", title: item.description }, `${label}${unit ? ` (${unit})` : ""}`), table, error);
  return [row, (field) => {
    const boxes = table.querySelectorAll("input");
    field.value.flat().forEach((value, i) => {
      if (!boxes[i]) return;
      if (document.activeElement !== boxes[i]) boxes[i].value = value;
      boxes[i].title = String(value);
    });
  }];
}

export function setError(row, diagnostic) {
  const error = row.querySelector(":scope > .error");
  if (!error) return;
  error.hidden = !diagnostic;
  row.classList.toggle("wrong", Boolean(diagnostic));
  row.querySelector("input, select, textarea")?.setAttribute("aria-invalid", String(Boolean(diagnostic)));
  // an error of a key that has no row of its own names it
  const below = diagnostic?.key.startsWith(`${row.dataset.path}.`) ? `${diagnostic.key.slice(row.dataset.path.length + 1)}: ` : "";
  error.textContent = diagnostic ? `${below}${diagnostic.message}${diagnostic.hint ? ` – ${plain(diagnostic.hint)}` : ""}` : "";
}
