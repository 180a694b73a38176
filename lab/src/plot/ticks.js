// Round numbers on an axis.

/** About `n` round numbers between two, with their texts. */
export function ticks(from, to, n, isLog = false) {
  if (isLog) return decades(from, to, n);
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  const rough = span / Math.max(1, n);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((k) => k * power >= rough) ?? 10);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const largest = Math.max(Math.abs(from), Math.abs(to));
  const text = (value) => {
    if (largest >= 1e5 || largest < 1e-3) return value === 0 ? "0" : Number(value.toPrecision(6)).toExponential().replace("e+", "e").replace("-", "−");
    return value.toFixed(Math.min(decimals, 12)).replace("-", "−");
  };
  const list = [];
  for (let i = first; i <= last && list.length < 50; i += 1) list.push({ value: i * step, text: text(i === 0 ? 0 : i * step) });
  return list;
}

function decades(from, to, n) {
  const [low, high] = [Math.log10(from), Math.log10(to)];
  const step = Math.max(1, Math.ceil((high - low) / Math.max(1, n)));
  const list = [];
  for (let power = Math.ceil(low - 1e-9); power <= high + 1e-9; power += step) list.push({ value: 10 ** power, text: powerText(power) });
  if (list.length >= 2) return list;
  return ticks(from, to, n).filter(({ value }) => value > 0);
}

function powerText(power) {
  if (power >= -2 && power <= 3) return String(Number((10 ** power).toPrecision(3)));
  return `10${[...String(power)].map((c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)])).join("")}`;
}
