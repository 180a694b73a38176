// Ranges of sliders. A range is fixed when a scenario is opened, so that a slider does not run away under the hand.

/** Positive quantities whose size matters by its order. */
const BY_DECADES = new Set([
  "mass", "stiffness", "width", "inertia", "rtol", "atol", "step", "max_step", "steps_per_period", "velocity", "samples",
  "max_steps", "points", "load",
]);
/** Quantities of both signs. */
const SIGNED = new Set(["position", "belt", "spin", "constant", "angle", "phase", "centre", "centre_of_mass", "moment", "direction", "gradient"]);
/** Steps of a slider: a tenth of a pixel on most screens. */
export const STEPS = 1000;

/** The range for a field, by its name, unit and present value. */
export function rangeOf(field) {
  const { key, unit, isWhole } = field;
  const value = typeof field.value === "number" ? field.value : (field.default ?? 0);
  const size = Math.abs(value);
  const isVector = typeof field.path.at(-1) === "number";
  if (isWhole && !BY_DECADES.has(key)) return { from: 0, to: Math.max(10, 2 * size), isWhole };
  if (key === "phase" || key === "angle" || key === "downhill") return { from: -Math.PI, to: Math.PI };
  if (key === "tilt") return { from: 0, to: 0.8 };
  if (key === "window") return { from: 0, to: Math.max(1, 2 * size) };
  // stick phases of a mass on a belt vanish at about ten times the speed of most examples
  if (key === "belt") return { from: -round(Math.max(12 * size, 0)) || -1, to: round(12 * size) || 1 };
  if (SIGNED.has(key) || (key === "velocity" && (isVector || field.path.includes("initial")))) {
    const most = round(size > 0 ? 3 * size : unit === "m" ? 1 : unit === "rad/s" ? 20 : 1);
    return { from: -most, to: most };
  }
  if (BY_DECADES.has(key) && value > 0) return { from: round(value / 30), to: round(value * 30), isLog: true, isWhole };
  if (unit === "-" && key.startsWith("mu")) return { from: 0, to: Math.max(1.5, round(2.5 * size)) };
  if (value < 0) return { from: -round(3 * size), to: round(3 * size) };
  return { from: 0, to: size > 0 ? round(3 * size) : 1, isWhole };
}

/** The number at a place of the slider, with as many digits as a pixel is worth. */
export function valueAt(range, place) {
  const part = place / STEPS;
  if (range.isLog) return digits(range.from * (range.to / range.from) ** part, 3, range);
  const value = range.from + (range.to - range.from) * part;
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(range.to - range.from)));
  return range.isWhole ? Math.round(value) : Number(value.toFixed(Math.min(decimals, 12)));
}

/** The place of a number on the slider. */
export function placeOf(range, value) {
  const part = range.isLog
    ? Math.log(Math.max(value, range.from) / range.from) / Math.log(range.to / range.from)
    : (value - range.from) / (range.to - range.from);
  return Math.round(STEPS * Math.min(1, Math.max(0, part)));
}

function digits(value, n, range) {
  return range.isWhole ? Math.round(value) : Number(value.toPrecision(n));
}

function round(value) {
  return Number(value.toPrecision(2));
}
