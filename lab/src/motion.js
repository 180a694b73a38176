// A motion out of the core, to be asked at any time: columns by name, values between samples, which contact sticks.

/** Rows that are drawn: more than a screen has pixels. Of a longer run every k-th sample is drawn. */
const MOST = 20_000;
/** Range of a quantity, relative to the largest value in its unit, below which it is round-off. */
const ROUND_OFF = 1e-10;

/** Samples and instants (both sides of events, extrema) in the order of time, so that no line crosses a jump. */
function merged(reply) {
  const time = reply.samples[0]?.values ?? new Float64Array();
  const step = Math.max(1, Math.ceil(time.length / MOST));
  const count = Math.ceil(time.length / step);
  const extra = reply.samples[0]?.name === "t" ? (reply.instants?.[0]?.values ?? []) : [];
  if (extra.length > MOST) return { order: null, step, count };
  const order = [];
  let k = 0;
  for (let i = 0; i < count; i += 1) {
    // both sides of an event come before a sample at the same time
    while (k < extra.length && extra[k] <= time[i * step]) order.push(-1 - k++);
    order.push(i * step);
  }
  return { order: extra.length ? order : null, step, count };
}

/** Events of a contact of several springs with sliders are those of single sliders: it slips when the last one does, and sticks again with the first. */
function ofContacts(events, contacts) {
  const several = contacts.map(({ sliders }) => (sliders > 1 ? sliders : 0));
  if (!several.some(Boolean)) return events;
  const step = ({ kind }) => (kind === "slip" ? 1 : kind === "stick" ? -1 : 0);
  // how many slip at the beginning: as few as leave no negative number
  const slipping = several.map((_, c) => {
    let [sum, least] = [0, 0];
    for (const event of events) if (event.contact === c) least = Math.min(least, (sum += step(event)));
    return -least;
  });
  return events.map((event) => {
    const count = several[event.contact];
    if (!count || !step(event)) return event;
    const before = slipping[event.contact];
    const after = (slipping[event.contact] += step(event));
    return (before === count) !== (after === count) ? event : { ...event, kind: `one slider ${event.kind}s` };
  });
}

export class Motion {
  #kinds = new Map();
  #largest = new Map();

  constructor(reply) {
    this.reply = reply;
    const { order, step, count } = merged(reply);
    const take = (values, instants) => {
      if (!order) return step === 1 ? values : Float64Array.from({ length: count }, (_, i) => values[i * step]);
      const out = new Float64Array(order.length);
      order.forEach((at, i) => { out[i] = at >= 0 ? values[at] : (instants?.[-1 - at] ?? NaN); });
      return instants ? out : filled(out);
    };
    const instants = new Map((reply.instants ?? []).map((column) => [column.name, column.values]));
    const columns = reply.samples.map((column) => ({ ...column, values: take(column.values, instants.get(column.name)) }));
    this.samples = columns;
    this.histories = new Map((reply.histories ?? []).map((one) => [one.name, take(one.samples, one.instants)]));
    this.first = columns[0];
    this.t = this.first?.name === "t" ? this.first.values : new Float64Array();
    this.shown = reply.shown;
    this.events = ofContacts(reply.events ?? [], reply.contacts ?? []);
    this.isBody = Boolean(reply.shown?.slide);
    this.isMotion = Boolean(reply.shown?.motion) || this.isBody;
    this.isPeriodic = Boolean(reply.shown?.motion) && !reply.shown.motion.run;
    this.n = reply.shown?.motion?.n ?? 0;
    this.m = reply.shown?.motion?.m ?? 0;
    this.contacts = reply.contacts ?? [];
    this.from = this.t[0] ?? 0;
    this.to = this.t.at?.(-1) ?? 0;
  }

  /** All columns of a quantity: one for each degree of freedom or contact that is reported. */
  kind(name) {
    let list = this.#kinds.get(name);
    if (!list) {
      list = this.samples.filter((column) => column.name === name || (column.index !== null && column.name === `${name}_${column.index}`));
      this.#kinds.set(name, list);
    }
    return list;
  }

  /** The column of a quantity for degree of freedom or contact `i`, among those that are reported. */
  column(name, i = 0) {
    return this.kind(name)[i];
  }

  values(name, i = 0) {
    return this.column(name, i)?.values;
  }

  /** A history beside the columns: energies, forces, normal loads. */
  history(name) {
    return this.histories.get(name);
  }

  /** Largest absolute value of a quantity over all its columns. */
  largest(name) {
    if (!this.#largest.has(name)) {
      let most = 0;
      for (const column of this.kind(name)) for (const v of column.values) if (Math.abs(v) > most) most = Math.abs(v);
      this.#largest.set(name, most);
    }
    return this.#largest.get(name);
  }

  /** Values of a unit that are smaller are round-off. */
  floor(unit) {
    const key = `floor ${unit}`;
    if (!this.#largest.has(key)) {
      let most = 0;
      for (const column of this.samples) if (column.unit === unit) for (const v of column.values) if (Math.abs(v) > most) most = Math.abs(v);
      this.#largest.set(key, ROUND_OFF * most);
    }
    return this.#largest.get(key);
  }

  /** Place of a time between rows: indices and fraction. */
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
    return between(this.values(name, i), place);
  }

  /** A history at a place. */
  past(name, place) {
    return between(this.histories.get(name), place);
  }

  /** Whether contact `i` has no normal load, so that it neither sticks nor slides. */
  isOpen(i, place) {
    return Boolean(this.contacts[i]?.varies) && this.histories.has(`normal_${i}`) && this.past(`normal_${i}`, place) === 0;
  }

  /** Whether contact `i` sticks at time t. A reversal or a corner changes nothing about that. */
  sticks(i, t) {
    let state = null;
    for (const event of this.#eventsOf(i)) {
      // before its first event it was in the other state
      if (event.t > t) return state ?? event.kind === "slip";
      state = event.kind === "stick";
    }
    if (state !== null) return state;
    // without an event it was in one state all the time
    const fraction = this.#fractionOf(i);
    if (fraction === 0 || fraction === 1) return fraction === 1;
    const sliding = this.values("sliding", i);
    return Boolean(sliding?.length) && sliding[0] === 0 && sliding[sliding.length - 1] === 0;
  }

  /** Share of the time in which contact `i` sticks, as the core counts it. */
  #fractionOf(i) {
    const value = (name) => this.reply.facts?.find((fact) => fact.name === name)?.value;
    return value(`stick_fraction_${i}`) ?? value("stick_fraction");
  }

  #eventsOf(i) {
    const key = `events ${i}`;
    if (!this.#kinds.has(key)) {
      if (!this.#kinds.has("events")) {
        const own = new Map();
        for (const event of this.events) {
          if (event.kind !== "stick" && event.kind !== "slip") continue;
          if (!own.has(event.contact)) own.set(event.contact, []);
          own.get(event.contact).push(event);
        }
        this.#kinds.set("events", own);
      }
      this.#kinds.set(key, this.#kinds.get("events").get(i) ?? []);
    }
    return this.#kinds.get(key);
  }

  /** Spans of time in which contact `i` sticks. */
  stickSpans(i) {
    const spans = [];
    let since = this.sticks(i, this.from) ? this.from : null;
    for (const { t, kind } of this.#eventsOf(i)) {
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

function between(values, place) {
  if (!values?.length) return 0;
  return values[place.i] + place.part * (values[place.j] - values[place.i]);
}

/** Values that instants lack, as those of the row before. */
function filled(values) {
  let last = values.find(Number.isFinite) ?? 0;
  for (let i = 0; i < values.length; i += 1) {
    if (Number.isNaN(values[i])) values[i] = last;
    else last = values[i];
  }
  return values;
}
