// A tree of values as TOML, in the shape of the examples: one header a table, small tables on one line.

const BARE = /^[A-Za-z0-9_-]+$/;

/** The tree as a file. */
export function toToml(tree) {
  const lines = [];
  const tables = [];
  for (const [key, value] of Object.entries(tree)) {
    if (isTable(value)) tables.push([key, value]);
    else if (value !== null && value !== undefined) lines.push(`${quoteKey(key)} = ${inline(value)}`);
  }
  for (const [key, value] of tables) {
    const kinds = Object.entries(value);
    if (kinds.length === 0) lines.push("", `[${quoteKey(key)}]`);
    for (const [kind, settings] of kinds) {
      if (!isTable(settings)) {
        lines.push("", `${quoteKey(key)}.${quoteKey(kind)} = ${inline(settings)}`);
        continue;
      }
      lines.push("", `[${quoteKey(key)}.${quoteKey(kind)}]`);
      for (const [name, setting] of Object.entries(settings)) lines.push(...entry(quoteKey(name), setting, 1));
    }
  }
  return `${lines.join("\n").trim()}\n`;
}

/** Lines for one key; a table of tables is written with dotted keys. */
function entry(key, value, depth) {
  if (value === null || value === undefined) return [];
  const isNested = isTable(value) && Object.keys(value).length > 0 && depth > 0;
  const hasTables = isNested && Object.values(value).some(isTable);
  if (hasTables) {
    return Object.entries(value).flatMap(([name, part]) => entry(`${key}.${quoteKey(name)}`, part, depth - 1));
  }
  if (Array.isArray(value) && value.some(isTable)) {
    return [`${key} = [`, ...value.map((item) => `    ${inline(item)},`), "]"];
  }
  return [`${key} = ${inline(value)}`];
}

/** A value on one line. */
export function inline(value) {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`;
  if (isTable(value)) {
    const parts = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
    return parts.length ? `{ ${parts.map(([key, part]) => `${quoteKey(key)} = ${inline(part)}`).join(", ")} }` : "{}";
  }
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return String(value);
  return quote(String(value));
}

/** A number with all its digits. */
export function number(value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  // beyond 2^53 a whole number would be read as an integer that no double is
  return Number.isInteger(value) && Math.abs(value) >= 2 ** 53 ? value.toExponential() : String(value);
}

function quoteKey(key) {
  return BARE.test(key) ? key : quote(key);
}

function quote(text) {
  const escape = (letter) => `\\u${letter.codePointAt(0).toString(16).padStart(4, "0")}`;
  return `"${text.replace(/[\\"]/g, "\\$&").replace(/[\u0000-\u001f\u007f]/g, escape)}"`;
}

export function isTable(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
