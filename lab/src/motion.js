// A motion out of the core, to be asked at any time: columns by name, values between samples, who sticks.

/** Samples that are drawn: more than a screen has pixels. Of a longer run every k-th is drawn. */
const MOST = 20_000;

function thinned(column) {
  const step = Math.ceil(column.values.length / MOST);
  if (step <= 1) return column;
  const values = new Float64Array(Math.ceil(column.values.length / step));
  for (let i = 0; i < values.length; i += 1) values[i] = column.values[i * step];
  return { ...column, values };
}

export class Motion {
  #kinds = new Map();

  constructor(reply) {
    this.reply = reply;
    this.samples = reply.samples.map(thinned);
    this.first = this.samples[0];
    this.t = this.first?.name === "t" ? this.first.values : new Float64Array();
    this.shown = reply.shown;
    this.events = reply.events ?? [];
    this.isBody = Boolean(reply.shown?.slide);
    this.isMotion = Boolean(reply.shown?.motion) || this.isBody;
    this.n = reply.shown?.motion?.n ?? 0;
    this.m = reply.shown?.motion?.m ?? 0;
    this.contacts = reply.contacts ?? [];
    this.from = this.t[0] ?? 0;
    this.to = this.t.at?.(-1) ?? 0;
  }

  /** All columns of a quantity: one for each degree of freedom or contact that is told. */
  kind(name) {
    let list = this.#kinds.get(name);
    if (!list) {
      list = this.samples.filter((column) => column.name === name || (column.index !== null && column.name === `${name}_${column.index}`));
      this.#kinds.set(name, list);
    }
    return list;
  }

  /** The column of a quantity for degree of freedom or contact `i`, among those that are told. */
  column(name, i = 0) {
    return this.kind(name)[i];
  }

  values(name, i = 0) {
    return this.column(name, i)?.values;
  }

  /** Largest size of a quantity over all its numbers. */
  largest(name) {
    let most = 0;
    for (const column of this.kind(name)) {
      for (const v of column.values) if (Math.abs(v) > most) most = Math.abs(v);
    }
    return most;
  }

  /** Place of a time between samples: index and fraction. */
  locate(t) {
    const { t: times } = this;
    let [low, high] = [0, times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle;
    }
    const span = times[high] - times[low];
    return { i: low, j: high, part: span > 0 ? Math.min(1, Math.max(0, (t - times[low]) / span)) : 0 };
  }

  /** A quantity at a place. */
  value(name, place, i = 0) {
    const values = this.values(name, i);
    if (!values?.length) return 0;
    return values[place.i] + place.part * (values[place.j] - values[place.i]);
  }

  /** Whether contact `i` sticks at time t. A reversal or a corner changes nothing about that. */
  sticks(i, t) {
    let state = null;
    for (const event of this.events) {
      if (event.contact !== i || (event.kind !== "stick" && event.kind !== "slip")) continue;
      // before its first event it was in the other state
      if (event.t > t) return state ?? event.kind === "slip";
      state = event.kind === "stick";
    }
    if (state !== null) return state;
    const sliding = this.values("sliding", i);
    return Boolean(sliding?.length) && sliding[0] === 0 && sliding[sliding.length - 1] === 0;
  }

  /** Spans of time in which contact `i` sticks. */
  stickSpans(i) {
    const spans = [];
    let since = this.sticks(i, this.from) ? this.from : null;
    for (const { t, contact, kind } of this.events) {
      if (contact !== i) continue;
      if (kind === "stick" && since === null) since = t;
      if (kind === "slip" && since !== null) {
        spans.push([since, t]);
        since = null;
      }
    }
    if (since !== null) spans.push([since, this.to]);
    return spans;
  }
}
