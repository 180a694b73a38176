// Amplitudes of the frequencies in equally spaced samples.

const POINTS = 2048;

/** Amplitude over angular frequency, by a Hann window and a fast Fourier transform; samples are interpolated linearly. */
export function spectrum(t, values) {
  const span = t[t.length - 1] - t[0];
  const re = new Float64Array(POINTS);
  const im = new Float64Array(POINTS);
  let mean = 0;
  for (const v of values) mean += v / values.length;
  let k = 0;
  for (let i = 0; i < POINTS; i += 1) {
    const time = t[0] + (span * i) / POINTS;
    while (k < t.length - 2 && t[k + 1] < time) k += 1;
    const step = t[k + 1] - t[k];
    const value = values[k] + (step > 0 ? (time - t[k]) / step : 0) * (values[k + 1] - values[k]);
    re[i] = (value - mean) * (1 - Math.cos((2 * Math.PI * i) / POINTS));
  }
  transform(re, im);
  const n = POINTS / 8;
  const omega = Float64Array.from({ length: n }, (_, i) => (2 * Math.PI * (i + 1)) / span);
  const amplitude = omega.map((_, i) => Math.max(1e-16, (2 / POINTS) * Math.hypot(re[i + 1], im[i + 1])));
  return { omega, amplitude };
}

/** Radix 2, in place. */
export function transform(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i += 1) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) {
      [re[i], re[j]] = [re[j], re[i]];
      [im[i], im[j]] = [im[j], im[i]];
    }
  }
  for (let size = 2; size <= n; size *= 2) {
    const angle = (-2 * Math.PI) / size;
    for (let k = 0; k < size / 2; k += 1) {
      const [c, s] = [Math.cos(angle * k), Math.sin(angle * k)];
      for (let i = k; i < n; i += size) {
        const j = i + size / 2;
        const [a, b] = [c * re[j] - s * im[j], c * im[j] + s * re[j]];
        [re[j], im[j]] = [re[i] - a, im[i] - b];
        [re[i], im[i]] = [re[i] + a, im[i] + b];
      }
    }
  }
}
