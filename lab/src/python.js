// A tree of values as a Python program that runs it.

/** The program. */
export function toPython(tree) {
  return `import stiction\n\nscenario = stiction.Scenario.from_dict(\n    ${literal(tree, 1)}\n)\noutcome = scenario.run()\nprint(outcome)\noutcome.plot()\n`;
}

const WIDTH = 100;

function literal(value, depth) {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : `float("${value}")`;
  if (typeof value === "string") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? "[]" : "{}";
  const parts = isList
    ? value.map((item) => literal(item, depth + 1))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${literal(item, depth + 1)}`);
  const line = `${open}${parts.join(", ")}${close}`;
  if (line.length + 4 * depth <= WIDTH && !line.includes("\n")) return line;
  const indent = "    ".repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${indent}${part},\n`).join("")}${"    ".repeat(depth)}${close}`;
}
