// The elements of a system, read from its scenario: masses or rotors, springs, dampers, stops, contacts, loads, controllers.

/** Masses that are drawn one by one; more are drawn as a field. */
export const MOST = 12;
/** Coupling relative to the largest entry of a row that is round-off. */
const TINY = 1e-9;

export const list = (value) => [value ?? []].flat();

/** Units of the quantities of a system on lines or of rotors. */
export function units(scenario) {
  const isRotation = Object.values(scenario.system)[0]?.kind === "rotation";
  return isRotation ? { mass: "kg m²", position: "rad", velocity: "rad/s", force: "N m" } : { mass: "kg", position: "m", velocity: "m/s", force: "N" };
}

/** The plan of a system: its kind of scene and its elements. `contacts` are those that the core reports. */
export function planOf(scenario, contacts) {
  const [kind, system] = Object.entries(scenario.system)[0];
  if (kind === "body") return { kind: "body", n: 3 };
  const n = sizeOf(kind, system);
  if (kind === "beam" || kind === "plate" || n > MOST || n === 0) return { kind: "field", n, system, form: kind };
  const plan = {
    n, system, form: kind, units: units(scenario), masses: massesOf(kind, system, n), springs: [], dampers: [], hasBase: list(system.base).length > 0,
    prescribed: new Set(list(system.prescribed).flatMap((one) => dofsOf(one, n))),
    curved: list(system.spring).map((one) => ({ on: dofsOf(one, n) })),
    stops: list(system.stop).map((stop) => ({ ...stop, on: dofsOf(stop, n) })),
    loads: [...new Set(list(system.force).flatMap((load) => dofsOf(load, n)))].sort((a, b) => a - b),
    controllers: [...list(system.control).map((one) => ({ ...one, on: dofsOf(one, n), name: "PID" })), ...list(system.state_space).map((one) => ({ on: dofsOf(one, n), name: "state space" }))],
    contacts: contactsOf(contacts, system),
  };
  plan.hasBelt = plan.contacts.some(({ belt, table }) => belt || table?.belt_varies);
  if (kind === "chain") chainTies(system, n, plan);
  else {
    tie(system.stiffness, n, plan.springs);
    tie(system.damping, n, plan.dampers);
  }
  plan.below = stacked(plan);
  plan.pad = plan.units.mass === "kg" ? padOf(plan) : null;
  plan.kind = plan.units.mass !== "kg" ? "rotor" : plan.pad ? "pad" : "line";
  return plan;
}

function sizeOf(kind, system) {
  if (kind === "oscillator") return 1;
  if (kind === "chain") return system.masses;
  return Array.isArray(system.mass) ? system.mass.length : 0;
}

function massesOf(kind, system, n) {
  return Array.from({ length: n }, (_, i) => {
    if (kind !== "matrices") return system.mass;
    return Array.isArray(system.mass[i]) ? system.mass[i][i] : system.mass[i];
  });
}

/** Degrees of freedom that an element acts on. */
export function dofsOf(element, n) {
  if (Array.isArray(element.direction)) return element.direction.flatMap((w, i) => (w ? [i] : []));
  if (Number.isInteger(element.dof)) return [element.dof];
  if (element.node === "all") return Array.from({ length: n }, (_, i) => i);
  const nodes = list(element.node).filter(Number.isInteger);
  return nodes.length ? nodes : [0];
}

/** Pairs of masses with an entry in a matrix; −1 is the ground. */
function tie(matrix, n, pairs) {
  if (typeof matrix === "number") return void (matrix > 0 && pairs.push([-1, 0]));
  if (!Array.isArray(matrix) || !matrix.length) return;
  for (let i = 0; i < n; i += 1) {
    const row = Array.isArray(matrix[0]) ? matrix[i] : matrix.map((v, j) => (j === i ? v : 0));
    if (!row) continue;
    const rest = row.reduce((sum, v) => sum + v, 0);
    const size = Math.max(...row.map(Math.abs));
    if (size > 0 && Math.abs(rest) > TINY * size) pairs.push([-1, i]);
    for (let j = 0; j < i; j += 1) if (row[j] !== 0) pairs.push([j, i]);
  }
}

function chainTies(system, n, plan) {
  for (let i = 0; i < n; i += 1) {
    if (i > 0) plan.springs.push([i - 1, i]);
    else if (system.left !== "free") plan.springs.push([-1, 0]);
    if (system.ground > 0 && !(i === 0 && system.left !== "free")) plan.springs.push([-1, i]);
  }
}

function contactsOf(contacts, system) {
  const tables = list(system.friction);
  return contacts.map((contact, c) => {
    const on = contact.direction.flatMap((w, i) => (w ? [i] : []));
    return { c, on, sign: contact.direction.map(Math.sign), belt: contact.belt, law: contact.law, load: contact.load, table: tables[Math.min(c, tables.length - 1)] };
  });
}

/** Contacts read from the scenario, where the core has not reported any. */
export function contactsIn(scenario) {
  const [kind, system] = Object.entries(scenario.system)[0];
  const n = sizeOf(kind, system);
  if (kind === "body" || n > MOST) return [];
  return list(system.friction).flatMap((contact) => {
    const law = Object.keys(contact).find((key) => !NOT_LAWS.has(key)) ?? "";
    const own = { law, load: contact.load ?? 1, belt: contact.belt ?? 0 };
    if (Array.isArray(contact.direction)) return [{ ...own, direction: contact.direction }];
    return dofsOf(contact, n).map((dof) => ({ ...own, direction: Array.from({ length: n }, (_, i) => Number(i === dof)) }));
  });
}

const NOT_LAWS = new Set(["load", "belt", "viscous", "load_varies", "belt_varies", "dof", "direction", "node"]);

/** Which mass stands on which: a contact between two masses is drawn as one block on the other. */
function stacked({ n, contacts, masses, prescribed }) {
  const below = Array(n).fill(-1);
  const onGround = (i) => contacts.some(({ on }) => on.length === 1 && on[0] === i);
  const isLower = (a, b) => {
    if (prescribed.has(a) !== prescribed.has(b)) return prescribed.has(a);
    if (onGround(a) !== onGround(b)) return onGround(a);
    return masses[a] !== masses[b] ? masses[a] > masses[b] : a < b;
  };
  for (const { on } of contacts) {
    if (on.length !== 2) continue;
    const [lower, upper] = isLower(on[0], on[1]) ? on : [on[1], on[0]];
    if (below[upper] < 0 && !reaches(below, lower, upper)) below[upper] = lower;
  }
  return below;
}

function reaches(below, from, to) {
  for (let i = from; i >= 0; i = below[i]) if (i === to) return true;
  return false;
}

/** Degrees of freedom along and normal to a surface: the normal load of a contact follows a mass that touches nothing itself. */
function padOf({ n, contacts }) {
  if (n !== 2 || contacts.length !== 1 || contacts[0].on.length !== 1) return null;
  const [along] = contacts[0].on;
  const normal = 1 - along;
  const slope = list(contacts[0].table?.load_varies?.by_position)[normal];
  return slope ? { along, normal, slope } : null;
}

/** A signal of the scenario at time t; undefined for noise and files, which only the core knows. */
export function signalAt(signal, t) {
  if (typeof signal === "number") return signal;
  if (!signal) return 0;
  const { constant = 0, amplitude = 0, omega = 0, phase = 0, table } = signal;
  const tables = list(table).map((one) => tableAt(one, t));
  if (tables.includes(undefined)) return undefined;
  return constant + amplitude * Math.sin(omega * t + phase) + tables.reduce((sum, v) => sum + v, 0);
}

function tableAt({ times, values, pulse, step }, t) {
  if (pulse) return t >= pulse.start && t < pulse.end ? pulse.value : 0;
  if (step && typeof step === "object") return t >= (step.time ?? step.start ?? 0) ? step.value : 0;
  if (!Array.isArray(times)) return undefined;
  const last = times.findLastIndex((time) => time <= t);
  if (last < 0) return values[0];
  if (last === times.length - 1) return values[last];
  return values[last] + ((t - times[last]) / (times[last + 1] - times[last])) * (values[last + 1] - values[last]);
}

/** Names of all elements that a scene of this plan must draw, each once. */
export function elementsOf(plan) {
  if (!plan.masses) return [];
  const isRotor = plan.kind === "rotor";
  return [
    ...plan.masses.map((_, i) => `${plan.prescribed.has(i) ? "prescribed" : isRotor ? "rotor" : "mass"} ${i}`),
    ...plan.springs.map(([a, b]) => `spring ${a} ${b}`), ...plan.curved.map((_, k) => `nonlinear spring ${k}`),
    ...plan.dampers.map(([a, b]) => `damper ${a} ${b}`), ...plan.stops.map((_, k) => `stop ${k}`),
    ...plan.contacts.map(({ c }) => `contact ${c}`), ...plan.loads.map((i) => `load ${i}`),
    ...plan.controllers.map((_, k) => `controller ${k}`), ...(plan.hasBase ? ["base"] : []), ...(plan.hasBelt && !isRotor ? ["belt"] : []),
  ];
}
