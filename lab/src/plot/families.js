// Plots over a parameter: responses, growth rates, nonlinear modes, diagrams. Rows of one law or overlay are one curve.

import { short } from "../dom.js";
import { COLOURS } from "./panels.js";

/** Columns of every response that are drawn unless a scenario asks for others. */
const RESPONSE = ["amplitude", "phase", "friction_loss", "stick_fraction"];
const MODE = ["mode_frequency", "damping_ratio", "friction_loss", "amplitude"];
const REFERENCES = [["stuck_amplitude", "contacts stuck"], ["free_amplitude", "without contacts"]];
const words = (name) => name.replaceAll("_", " ");
const capital = (text) => text[0].toUpperCase() + text.slice(1);

const panels = new Map();

/** The plots of an outcome along a parameter; the same plot has the same object every time. */
export function parameterPanels(motion) {
  if (motion.isMotion || !motion.first) return [];
  return groupsOf(motion).map(([title, names]) => {
    if (!panels.has(title)) {
      panels.set(title, { title, isFor: (other) => groupsOf(other).some(([own]) => own === title), content: (other) => contentOf(other, groupsOf(other).find(([own]) => own === title)[1]), points: () => [] });
    }
    return panels.get(title);
  });
}

/** Titles and the columns that they show. */
function groupsOf({ samples, shown, isMotion }) {
  if (isMotion) return [];
  const names = samples.slice(1).map(({ name }) => name);
  const single = (wanted) => wanted.filter((name) => names.includes(name)).map((name) => [capital(words(name)), [name]]);
  if (shown === "stability") {
    const all = (stem) => names.filter((name) => name.startsWith(`${stem}_`) || name === stem);
    return [["Growth rates of small motions", all("growth")], ["Frequencies of small motions", all("frequency")]].filter(([, list]) => list.length);
  }
  if (shown === "nonlinear-mode") return single(MODE);
  if (shown === "bifurcation") return single(names);
  return single([...new Set([...RESPONSE, ...(shown?.response?.facts ?? [])])]);
}

/** The column that distinguishes the families of a response, and a name for each of its values. */
function familyOf({ samples, shown, reply }) {
  const laws = shown?.response?.laws ?? [];
  if (laws.length) return { column: samples.find(({ name }) => name === "law"), nameOf: (value) => laws[value] ?? `law ${value}` };
  const overlay = reply.scenario?.analysis?.response?.overlay;
  if (!overlay) return null;
  const column = samples.at(-1);
  const unit = column.unit && column.unit !== "-" ? ` ${column.unit}` : "";
  return { column, nameOf: (value) => `${words(column.name)} = ${short(value, 4)}${unit}` };
}

function contentOf(motion, names) {
  const { samples, shown, first } = motion;
  const columns = names.map((name) => samples.find((column) => column.name === name));
  const isDiagram = shown === "bifurcation";
  const log = shown?.response?.log;
  const isLog = (axis) => log === "both" || log === axis;
  const family = familyOf(motion);
  const curves = columns.length > 1
    ? columns.map((column, i) => ({ name: `mode ${column.index ?? i}`, x: first.values, y: column.values, colour: COLOURS[i % COLOURS.length] }))
    : families(motion, columns[0], family).map(({ name, rows }, i) => ({ name, x: pick(first.values, rows), y: pick(columns[0].values, rows), colour: COLOURS[i % COLOURS.length], isPoints: isDiagram, rows }));
  const stability = samples.find(({ name }) => name === "stability");
  const split = columns.length > 1 || isDiagram || !stability ? curves : curves.flatMap((curve) => stableAndNot(curve, pick(stability.values, curve.rows)));
  const [column] = columns;
  return {
    x: { label: words(first.name), symbol: first.symbol, unit: first.unit, isTight: !isDiagram, isLog: isLog("parameter") || (shown === "nonlinear-mode" && spansDecades(first.values)) },
    y: { label: columns.length > 1 ? (column.symbol?.replace(/[₀0]$/, "") || words(names[0])) : words(column.name), symbol: column.symbol, unit: column.unit, isLog: names[0] === "amplitude" && isLog("amplitude") },
    curves: [...references(motion, names[0], family), ...split],
    caption: split.length > curves.length ? "Dashed: unstable." : "",
  };
}

/** Whether positive values go over more than two decades, as the amplitudes of a nonlinear mode. */
function spansDecades(values) {
  return values[0] > 0 && Math.max(...values) > 100 * Math.min(...values);
}

function families(motion, column, family) {
  const all = Array.from(column.values, (_, i) => i);
  if (!family) return [{ name: "", rows: all }];
  const values = [...new Set(family.column.values)];
  return values.map((value) => ({ name: family.nameOf(value), rows: all.filter((i) => family.column.values[i] === value) }));
}

/** The linear systems that a response lies between, grey. */
function references({ samples, first }, name, family) {
  if (name !== "amplitude") return [];
  const rows = Array.from(first.values, (_, i) => i).filter((i) => !family || family.column.values[i] === family.column.values[0]);
  return REFERENCES.flatMap(([own, text], i) => {
    const column = samples.find((one) => one.name === own);
    return column ? [{ name: text, x: pick(first.values, rows), y: pick(column.values, rows), colour: "muted", width: 1.5, dash: i ? [2, 3] : [7, 4] }] : [];
  });
}

const pick = (values, rows) => Float64Array.from(rows, (i) => values[i]);

/** A curve as its stable part and, dashed, its unstable one. */
function stableAndNot(curve, stability) {
  const isUnstable = (i) => stability[i] < 0;
  const any = stability.some((s) => s < 0);
  if (!any) return [curve];
  const n = curve.y.length;
  const keep = (test) => curve.y.map((y, i) => (test(i) || (i + 1 < n && test(i + 1) && isUnstable(i) !== isUnstable(i + 1)) ? y : NaN));
  return [{ ...curve, y: keep((i) => !isUnstable(i)) }, { ...curve, name: "", y: keep(isUnstable), dash: [5, 4] }];
}
