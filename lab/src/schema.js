// The schema of scenarios as a list of fields for one scenario: what can be set, of which kind, and what it is now.

import { at } from "./state.js";
import { isTable } from "./toml.js";

/** Longest list or matrix row that gets a field for every number. */
const LONGEST = 8;
/** Longest list of numbers that gets a table of boxes. */
const LONGEST_TABLE = 60;

/** Whole numbers that choose one of several things, for which a slider makes no sense. */
const INDICES = new Set(["dof", "node", "seed", "mode", "contact", "subharmonic", "harmonics", "elements", "masses"]);
/** Letters of the literature for keys, beside those that descriptions give. */
const SYMBOLS = {
  mu: "μ", mu_static: "μₛ", omega: "ω", mass: "m", stiffness: "k", damping: "c", load: "N", spin: "ω₀", amplitude: "F", phase: "φ", frequency: "f",
  inertia: "J", radius: "R", restitution: "e", width: "Δ", tilt: "α",
};
/** Units of rotors in place of those of masses on lines. */
const ROTATION = { kg: "kg m²", "N/m": "N m/rad", "N s/m": "N m s/rad", m: "rad", "m/s": "rad/s", N: "N m", "N/(m s)": "N m/(rad s)", "m s": "rad s", "m/s²": "rad/s²" };

/** Units of signals by the key that they stand under. */
const SIGNALS = { force: "N", load_varies: "N", belt_varies: "m/s", position: "m", reference: "m", velocity: "m/s", acceleration: "m/s²" };

/** Groups of fields for a scenario: `tree` as written, `filled` with its defaults. */
export function fields(schema, tree, filled) {
  const walker = new Walker(schema, tree, filled);
  walker.isRotation = Object.values(tree.system ?? filled.system ?? {})[0]?.kind === "rotation";
  const root = walker.resolve(schema);
  walker.visit(root.properties.system, ["system"], walker.group(["system"], "System"));
  walker.visit(root.properties.integrator, ["integrator"], walker.group(["integrator"], "Integrator"));
  walker.visit(root.properties.analysis, ["analysis"], walker.group(["analysis"], "Analysis"));
  const groups = walker.groups.filter((group) => group.items.length > 0);
  borrowUnits(groups.flatMap((group) => group.items), walker);
  return groups;
}

/** Values of a parameter have its unit, which is that of the field it names. */
function borrowUnits(items, walker) {
  for (const item of items) {
    if (item.unit || !/\(unit of the parameter\)\.?$/.test(item.description)) continue;
    const table = item.path.slice(0, item.path.findLastIndex((key) => typeof key === "string"));
    const name = walker.value([...table, "parameter"]) ?? (item.path[0] === "analysis" ? "omega" : undefined);
    if (typeof name !== "string") continue;
    item.unit = items.find(({ key, path, unit }) => unit && path[0] === "system" && (key === name || name.endsWith(`_${key}`) || name.endsWith(`.${key}`)))?.unit ?? "";
  }
}

class Walker {
  groups = [];

  constructor(schema, tree, filled) {
    Object.assign(this, { schema, tree, filled });
  }

  group(path, title, description = "", isRemovable = false) {
    const group = { path, title, description, isRemovable, items: [] };
    this.groups.push(group);
    return group;
  }

  resolve(node) {
    if (!node?.$ref) return node ?? {};
    const target = node.$ref.replace(/^#\//, "").split("/").reduce((inner, key) => inner?.[key], this.schema);
    return { ...this.resolve(target), ...without(node, "$ref") };
  }

  value(path) {
    // as written first: while something is wrong, what is filled in belongs to the last scenario that was right
    return at(this.tree, path) ?? at(this.filled, path);
  }

  /** Adds the fields below a node of the schema to a group. */
  visit(given, path, group, isRequired = true) {
    let node = this.resolve(given);
    let isOptional = false;
    if (node.anyOf?.some((one) => one.type === "null")) {
      isOptional = true;
      const rest = node.anyOf.filter((one) => one.type !== "null");
      node = { ...(rest.length === 1 ? this.resolve(rest[0]) : { anyOf: rest }), description: node.description };
    }
    const types = [node.type].flat();
    isOptional ||= types.includes("null");
    const type = types.find((one) => one && one !== "null");
    const value = this.value(path);
    // what may be left out, and is, has a default that the schema does not state
    isOptional ||= !isRequired && value === undefined;
    const base = {
      path, value, isOptional, key: path.at(-1), default: node.default,
      isWritten: at(this.tree, path) !== undefined, ...described(node.description),
    };
    if (!base.unit && !path.includes("state_space") && /\(unit of the signal\)\.?$/.test(base.description)) base.unit = SIGNALS[path.findLast((key) => key in SIGNALS)] ?? "";
    if (this.isRotation && path[0] === "system") base.unit = ROTATION[base.unit] ?? base.unit;
    base.heading = headingOf(path, group.path);
    base.symbol = symbolOf(path, this.isRotation);

    if (node.oneOf) return this.visitKinds(node, path, group, base);
    if (node.anyOf) return this.visitForms(node, path, group, base);
    if (type === "number" || type === "integer") {
      group.items.push({ ...base, type: "number", isWhole: type === "integer", isIndex: INDICES.has(path.at(-1)), minimum: node.minimum });
    } else if (type === "boolean") group.items.push({ ...base, type: "boolean" });
    else if (type === "string") group.items.push({ ...base, type: node.enum ? "enum" : "text", options: node.enum });
    else if (type === "array") this.visitList(node, path, group, base);
    else if (type === "object") this.visitTable(node, path, group, base);
  }

  visitTable(node, path, group, base) {
    if (base.value === undefined || base.value === null) {
      group.items.push({ ...base, type: "add", schema: node });
      return;
    }
    // of keys in two units the one that is written, else the first
    const pairs = either(node);
    const others = pairs.flatMap((keys) => keys.filter((key) => key !== (keys.find((one) => base.value[one] !== undefined) ?? keys[0])));
    for (const [key, part] of Object.entries(node.properties ?? {})) {
      if (!others.includes(key)) this.visit(part, [...path, key], group, [node.required ?? [], pairs].flat(2).includes(key));
    }
  }

  visitList(node, path, group, base) {
    const list = base.value;
    const item = this.resolve(node.items);
    const isNumbers = [item.type].flat().some((type) => type === "number" || type === "integer");
    if (item.type === "object" || item.oneOf) {
      // a text under way may hold anything here
      if (list !== undefined && list !== null && !Array.isArray(list)) return;
      (list ?? []).forEach((_, i) => {
        const title = list.length > 1 ? `${words(base.key)} ${i}` : words(base.key);
        this.visit(node.items, [...path, i], this.group([...path, i], title, base.description, true));
      });
      group.items.push({ ...base, type: "add", isList: true, schema: item });
      return;
    }
    if (!Array.isArray(list)) return;
    if (isNumbers && list.length <= LONGEST) {
      list.forEach((_, i) => {
        const isPlane = list.length === 2 && (path.includes("body") || path.includes("patch"));
        const label = isPlane ? `${words(base.key)} ${"xy"[i]}` : `${words(base.key)} ${i}`;
        const name = base.key === "window" ? `window ${["from", "to"][i]}` : label;
        const unit = base.key === "polynomial" ? this.#factor(i) : base.unit;
        group.items.push({ ...base, unit, type: "number", path: [...path, i], key: base.key, label: name, isIndex: INDICES.has(base.key), value: list[i] });
      });
    } else if (isNumbers && list.length <= LONGEST_TABLE) {
      group.items.push({ ...base, type: "matrix" });
    } else if (list.length <= LONGEST && list.every((row) => Array.isArray(row) && row.length <= LONGEST)) {
      group.items.push({ ...base, type: "matrix" });
    }
  }

  /** Unit of the factor of u^(i+1) in a force. */
  #factor(i) {
    const [force, length] = this.isRotation ? ["N m", "rad"] : ["N", "m"];
    return `${force}/${length}${i === 0 ? "" : "²³⁴⁵⁶⁷⁸⁹"[i - 1]}`;
  }

  /** One of several forms: one thing or a list of such, a matrix as rows or as a diagonal. */
  visitForms(node, path, group, base) {
    const forms = node.anyOf.map((form) => this.resolve(form));
    const one = forms.find((form) => form.type === "object" || form.oneOf);
    const many = forms.find((form) => [form.type].flat().includes("array"));
    const { value } = base;
    if (Array.isArray(value) && many) {
      const items = this.resolve(many.items);
      if (items.type === "object" || items.oneOf) {
        value.forEach((_, i) => {
          const title = value.length > 1 ? `${words(base.key)} ${i}` : words(base.key);
          this.visit(many.items, [...path, i], this.group([...path, i], title, base.description, true));
        });
        if (path.length < 4) group.items.push({ ...base, type: "add", isList: true, schema: items });
      } else if (value.length <= LONGEST && value.every((row) => Array.isArray(row))) {
        group.items.push({ ...base, type: "matrix" });
      } else this.visitList({ items: { type: "number" } }, path, group, base);
    } else if (isTable(value) && one) {
      this.visit(one, path, this.group(path, words(base.key), base.description, true));
    } else if (value === undefined && one && many && path.length <= 3) {
      group.items.push({ ...base, type: "add", schema: one });
    } else if (typeof value === "number" && forms.some((form) => form.type === "number") && path.includes("damping")) {
      group.items.push({ ...base, type: "number" });
    }
  }

  /** One of several kinds, named by a key; or one of several words. */
  visitKinds(node, path, group, base) {
    // a law that a program brings along cannot be in a page
    const named = node.oneOf.filter((one) => one.properties && !one.properties.custom);
    const plain = node.oneOf.filter((one) => one.const !== undefined || one.enum);
    const kinds = [
      ...plain.flatMap((one) => (one.enum ?? [one.const]).map((name) => ({ name, description: one.description ?? "", isWord: true }))),
      ...named.map((one) => ({ name: Object.keys(one.properties)[0], description: (one.description ?? "").replace(/ \([^()]{1,12}\)\.$/, "."), schema: Object.values(one.properties)[0] })),
    ];
    const present = typeof base.value === "string" ? base.value : kinds.find(({ name }) => base.value?.[name] !== undefined)?.name;
    // a word that may be left out, and is, is the first
    const isIdle = present === undefined && base.isOptional && named.length === 0;
    const isWritten = isTable(at(this.tree, path)) ? at(this.tree, path)[present] !== undefined : base.isWritten;
    if (path.length > 1 || path[0] !== "system") group.items.push({ ...base, type: "kind", kinds, isIdle, isWritten, present: isIdle ? kinds[0]?.name : present });
    const kind = kinds.find(({ name }) => name === present);
    if (kind?.schema) this.visit(kind.schema, [...path, present], group);
    // a contact: the law beside load, belt and the like
    for (const [key, part] of Object.entries(node.properties ?? {})) this.visit(part, [...path, key], group, node.required?.includes(key) ?? false);
  }

  /** A value that a new table of this schema may have. */
  plain(given, hints = {}) {
    const node = this.resolve(given);
    if (node.type === "array") {
      const item = this.resolve(node.items);
      return item.type === "object" || item.oneOf ? [this.plain(item, hints)] : [0, 0];
    }
    if (node.oneOf) {
      const named = node.oneOf.find((one) => one.properties?.coulomb) ?? node.oneOf.find((one) => one.properties);
      if (!named) return node.oneOf[0].const ?? node.oneOf[0].enum?.[0];
      const [name, part] = Object.entries(named.properties)[0];
      return { [name]: this.plain(part, hints) };
    }
    const table = {};
    // a curve needs points, which may come from a file elsewhere
    const points = node.properties?.coefficients ? ["velocities", "coefficients"] : [];
    for (const key of [...(node.required ?? []), ...either(node).map(([first]) => first), ...points]) {
      const part = this.resolve(node.properties[key]);
      const type = [part.type].flat()[0];
      // what was a number may be a list now, and the other way round
      // bristles that rest take small steps if they are stiff
      if (node.properties.elastic && key in SOFT) table[key] = SOFT[key];
      else if (hints[key] !== undefined && Array.isArray(hints[key]) === (type === "array")) table[key] = hints[key];
      else if (type === "number") table[key] = PLAIN[key] ?? 1;
      else if (type === "integer") table[key] = PLAIN[key] ?? 1;
      else if (type === "string") table[key] = PLAIN[key] ?? "omega";
      else if (type === "array") table[key] = listed(PLAIN[key]) ?? this.plain(part, hints);
      else table[key] = this.plain(node.properties[key], hints);
    }
    return table;
  }
}

/** Lists of keys of which a table has one: `allOf` of `oneOf` of `required`. */
function either(node) {
  const lists = (node.allOf ?? []).map((one) => (one.oneOf ?? []).flatMap((keys) => keys.required ?? []));
  return lists.filter((keys) => keys.length > 1);
}

/** Values that a parameter begins with. */
const PLAIN = {
  mu: 0.5, mu_static: 0.7, velocities: [0, 0.1, 1], coefficients: [0.7, 0.6, 0.5], phi: "0.5*sign(v)/(1 + abs(v))", share: [0.6, 0.4],
  elastic: 0.7, a: 0.1, b: 0.12, distance: 0.01, exponent: -0.5, ratio: 0.5, width: 0.01, velocity: 0.1, stiffness: 1000, damping: 10, rise: 0.1, viscous: 0,
  amplitude: 1, omega: 1, radius: 0.1, inner: 0.05, outer: 0.1, length: 0.3, from: 0.2, to: 2, parameter: "omega",
  vertices: [[-0.1, -0.1], [0.2, -0.1], [-0.1, 0.2]], gradient: [1, 0], inner_radius: 0.05, outer_radius: 0.1,
};

const SOFT = { stiffness: 10, damping: 0.1 };

/** A list to begin with, out of what one of its members may be. */
const listed = (value) => (typeof value === "number" ? [value, value / 2] : value);

/** A new table of a schema, with `hints` for what is known. */
export function plainTable(schema, part, hints) {
  return new Walker(schema, {}, {}).plain(part, hints);
}

/** Label and unit out of a description such as "Mass m (kg)." */
function described(description = "") {
  const text = description.replace(/\n/g, " ");
  const unit = text.match(/\(([^()]*(?:\([^()]*\))?[^()]*)\)\.?$/)?.[1] ?? "";
  return { description: text, unit: /^(-|[a-zA-Z°µΩ][^,;]{0,12}|1\/.+|s³?\/m.*)$/.test(unit) ? unit : "" };
}

/** Tables between a group and a field, as a heading: `initial`, `load varies`. Kinds of laws and shapes are no headings. */
function headingOf(path, group) {
  const between = path.slice(group.length, -1).filter((key) => typeof key === "string");
  const own = between.filter((key) => HEADINGS.has(key));
  return own.length ? words(own.join(", ")) : "";
}

const HEADINGS = new Set(["initial", "load_varies", "belt_varies", "reference", "patch", "shape", "inner_mass", "surface", "table", "pulse", "noise", "acceleration", "position", "compare", "harmonic_balance", "overlay", "parameters", "reduce", "rayleigh", "control", "state_space", "prescribed"]);

/** The letter of a key; an amplitude is a force only where a load is one. */
function symbolOf(path, isRotation) {
  const key = path.findLast((part) => typeof part === "string");
  if (key === "amplitude") return path.includes("force") ? (isRotation ? "M" : "F") : path.includes("base") ? "b" : "";
  if (isRotation && key === "mass") return "J";
  // of a beam it is that of its cross-section
  if (key === "inertia" && path.includes("beam")) return "I";
  if (key === "velocity" && !path.includes("initial") && !path.includes("body")) return "vₛ";
  if (key === "position" && path.includes("initial")) return isRotation ? "φ₀" : "u₀";
  if (key === "velocity" && path.includes("initial")) return isRotation ? "ω₀" : "v₀";
  // the width of a rectangle is none of a regularisation
  if (key === "width" && path.includes("shape")) return "";
  if (path[0] !== "system") return "";
  if (key === "stiffness" && path.includes("friction")) return "";
  if (key === "damping" && path.includes("friction")) return "";
  return SYMBOLS[key] ?? "";
}

export function words(key) {
  return String(key).replaceAll("_", " ");
}

function without(object, key) {
  const { [key]: _, ...rest } = object;
  return rest;
}
