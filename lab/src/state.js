// The one state of the page: the scenario as a text and as a tree, where it came from, and what was before and after it.

import { inline, isTable, toToml } from "./toml.js";

/** Steps that can be taken back. */
const MOST = 200;
/** Changes of one value within this time are one step (ms). */
const TOGETHER = 800;

export class State {
  /** The scenario as it is run; what was opened is kept letter by letter, and a changed number changes only its digits. */
  text = "";
  /** The same as a tree, as written. */
  tree = {};
  /** The same with all defaults, once it has been read. */
  filled = {};
  /** Where the scenario came from: `{ name, about, opened }`, the text as it was opened among them. */
  source = { name: "", about: "", opened: "" };
  #places = {};
  #placesOf = null;
  #past = [];
  #future = [];
  #last = { key: null, at: 0 };
  /** Called after every change of the text. */
  onChange = () => {};

  /** Another scenario. */
  open(text, source = this.source) {
    if (this.text) this.#remember(null);
    this.text = text;
    const isNew = source !== this.source;
    this.source = isNew ? { opened: text, name: "", about: "", ...source } : source;
    this.onChange({ isNew });
  }

  /** What the core made of the text. */
  read(reply, text = this.text) {
    if (reply.tree) this.tree = reply.tree;
    if (reply.scenario) this.filled = reply.scenario;
    if (reply.places) [this.#places, this.#placesOf] = [reply.places, text];
  }

  /** Whether a control has changed what was opened. */
  get isChanged() {
    return this.text !== this.source.opened;
  }

  /** Back to what was opened. */
  reset() {
    if (this.isChanged) this.open(this.source.opened);
  }

  /** Puts values at paths; `undefined` removes one. */
  set(changes) {
    const spliced = this.#spliced(changes);
    const text = spliced?.text ?? this.#written(changes);
    if (text === this.text) return;
    this.#remember(changes.map(([path]) => path.join(".")).join(" "));
    for (const [path, value] of changes) put(this.tree, this.filled, path, value);
    this.text = text;
    if (spliced) [this.#places, this.#placesOf] = [spliced.places, text];
    this.onChange({ isNew: false });
  }

  /** The text with values at other paths, for a run beside the present one. */
  textWith(changes) {
    return this.#spliced(changes)?.text ?? this.#written(changes);
  }

  /** The tree written anew, below the comment at the head of the file. */
  #written(changes) {
    const tree = structuredClone(this.tree);
    for (const [path, value] of changes) put(tree, this.filled, path, value);
    const head = this.text.match(/^(#[^\n]*\n)+/)?.[0] ?? "";
    return `${head}${toToml(tree)}`;
  }

  /** The text with other scalars in the places of the old ones; none if something is added or removed. */
  #spliced(changes) {
    if (this.#placesOf !== this.text) return null;
    let [text, places] = [this.text, this.#places];
    for (const [path, value] of changes) {
      const range = valueRange(text, places[path.join(".")], path);
      if (!range || value === undefined || value === null || Array.isArray(value) || isTable(value)) return null;
      const written = inline(value);
      const by = written.length - (range[1] - range[0]);
      text = text.slice(0, range[0]) + written + text.slice(range[1]);
      const moved = ([from, to]) => (from >= range[1] ? [from + by, to + by] : from === range[0] ? [from, from + written.length] : [from, to]);
      if (by !== 0) places = Object.fromEntries(Object.entries(places).map(([key, place]) => [key, moved(place)]));
    }
    return { text, places };
  }

  #remember(key) {
    const now = performance.now();
    const isSame = key !== null && key === this.#last.key && now - this.#last.at < TOGETHER;
    if (!isSame) this.#past.push({ text: this.text, source: this.source });
    if (this.#past.length > MOST) this.#past.shift();
    this.#future = [];
    this.#last = { key, at: now };
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  undo() {
    this.#step(this.#past, this.#future);
  }

  redo() {
    this.#step(this.#future, this.#past);
  }

  #step(from, to) {
    if (!from.length) return;
    to.push({ text: this.text, source: this.source });
    const { text, source } = from.pop();
    const isNew = source !== this.source;
    Object.assign(this, { text, source });
    this.#last = { key: null, at: 0 };
    this.onChange({ isNew });
  }
}

/** Where a scalar stands: the place of a list's member is its own, that of a table's entry is the place of its key. */
function valueRange(text, place, path) {
  if (!place) return null;
  if (typeof path.at(-1) === "number") return place;
  const rest = text.slice(place[1]);
  const found = rest.match(/^(["']?\s*=\s*)("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,\]}#"'[{]+)/);
  if (!found) return null;
  const from = place[1] + found[1].length;
  return [from, from + found[2].length];
}

/** The value at a path, or `undefined`. */
export function at(tree, path) {
  return path.reduce((node, key) => node?.[key], tree);
}

/** Puts a value at a path; lists that are not written yet are taken from the filled tree. */
function put(tree, filled, path, value) {
  let [node, model] = [tree, filled];
  path.slice(0, -1).forEach((key) => {
    model = model?.[key];
    if (typeof node[key] !== "object" || node[key] === null) {
      node[key] = Array.isArray(model) ? structuredClone(model) : {};
    }
    node = node[key];
  });
  const last = path.at(-1);
  if (value === undefined) {
    if (Array.isArray(node)) node.splice(Number(last), 1);
    else delete node[last];
  } else node[last] = value;
}
