// Round numbers on an axis.

import { power } from "../dom.js";

/** About `n` round numbers between two, with their texts; at least two where the range has any. */
export function ticks(from, to, n, isLog = false) {
  if (isLog) return decades(from, to, n);
  const span = to - from;
  if (!(span > 0) || !Number.isFinite(span)) return [];
  let list = spaced(from, to, Math.max(2, n));
  // the next finer step where only one round number fell inside
  for (let finer = 3; list.length < 2 && finer < 12; finer += 1) list = spaced(from, to, finer);
  return list;
}

function spaced(from, to, n) {
  const rough = (to - from) / n;
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = ten * ([1, 2, 5].find((k) => k * ten >= rough * (1 - 1e-9)) ?? 10);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  const largest = Math.max(Math.abs(first), Math.abs(last)) * step;
  // all numbers of an axis in one form: the power of ten is that of the largest
  const exponent = largest > 0 && (largest >= 1e5 || largest < 1e-3) ? Math.floor(Math.log10(largest) + 1e-9) : 0;
  const decimals = Math.max(0, exponent - Math.floor(Math.log10(step) + 1e-9));
  const text = (value) => (value === 0 ? "0" : `${(value / 10 ** exponent).toFixed(Math.min(decimals, 12)).replace("-", "−")}${exponent ? `·${power(exponent)}` : ""}`);
  const list = [];
  for (let i = first; i <= last && list.length < 50; i += 1) list.push({ value: i * step, text: text(i === 0 ? 0 : i * step) });
  return list;
}

function decades(from, to, n) {
  const [low, high] = [Math.log10(from), Math.log10(to)];
  const step = Math.max(1, Math.ceil((high - low) / Math.max(1, n)));
  const list = [];
  for (let k = Math.ceil(low - 1e-9); k <= high + 1e-9; k += step) list.push({ value: 10 ** k, k });
  // all numbers of an axis in one form
  const isPlain = list.every(({ k }) => k >= -2 && k <= 3);
  for (const tick of list) tick.text = isPlain ? String(Number(tick.value.toPrecision(3))) : power(tick.k);
  if (list.length >= 2) return list;
  return ticks(from, to, n).filter(({ value }) => value > 0);
}
