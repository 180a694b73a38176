// The one state of the page: the scenario as a text and as a tree, with what was before and after it.

import { toToml } from "./toml.js";

/** Steps that can be taken back. */
const MOST = 200;
/** Changes of one value within this time are one step (ms). */
const TOGETHER = 800;

export class State {
  /** The scenario as it is run; what was opened is kept letter by letter until a control changes it. */
  text = "";
  /** The same as a tree, as written. */
  tree = {};
  /** The same with all defaults, once it has been read. */
  filled = {};
  #past = [];
  #future = [];
  #last = { key: null, at: 0 };
  /** Called after every change of the text. */
  onChange = () => {};

  /** Another scenario. */
  open(text, { isKept = true } = {}) {
    if (isKept && this.text) this.#remember(null);
    this.text = text;
    this.onChange({ isNew: true });
  }

  /** What the core made of the text. */
  read(reply) {
    if (reply.tree) this.tree = reply.tree;
    if (reply.scenario) this.filled = reply.scenario;
  }

  /** Puts values at paths; `undefined` removes one. */
  set(changes, { isNew = false } = {}) {
    const text = this.textWith(changes);
    if (text === this.text) return;
    this.#remember(changes.map(([path]) => path.join(".")).join(" "));
    for (const [path, value] of changes) put(this.tree, this.filled, path, value);
    this.text = text;
    this.onChange({ isNew });
  }

  /** The text with values at other paths, for a run beside the present one. */
  textWith(changes) {
    const tree = structuredClone(this.tree);
    for (const [path, value] of changes) put(tree, this.filled, path, value);
    return toToml(tree);
  }

  #remember(key) {
    const now = performance.now();
    const isSame = key !== null && key === this.#last.key && now - this.#last.at < TOGETHER;
    if (!isSame) this.#past.push(this.text);
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
    to.push(this.text);
    this.text = from.pop();
    this.#last = { key: null, at: 0 };
    this.onChange({ isNew: true });
  }
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
