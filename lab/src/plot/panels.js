// The plots of a motion: what each shows, and its moving point. One entry a plot.

import { short } from "../dom.js";
import { spectrum } from "./spectrum.js";

/** Colours of curves; blue and orange are left to slip and stick. */
export const COLOURS = ["accent", "force", "load", "third", "fourth", "ink"];
const MOST = 6;

const time = { label: "time", symbol: "t", unit: "s", isTight: true };

/** Bands where the first contact sticks. */
function bands(motion) {
  return motion.isBody || motion.m === 0 ? [] : motion.stickSpans(0).map(([from, to]) => ({ from, to, colour: "stick" }));
}

function history(name, title, symbol, caption) {
  return {
    title,
    isFor: (motion) => Boolean(motion.isMotion && motion.column(name)),
    content: (motion) => {
      const all = indices(motion, name);
      const curves = all.map((i) => ({ name: all.length > 1 ? `${symbol}${sub(i)}` : "", x: motion.t, y: motion.values(name, i), colour: COLOURS[i % COLOURS.length] }));
      const { unit } = motion.column(name);
      const hasBands = bands(motion).length > 0;
      return { x: time, y: { label: symbol, unit, floor: motion.floor(unit) }, curves, bands: bands(motion), caption: !caption || !hasBands ? "" : motion.m > 1 ? "Shaded: contact 0 sticks." : caption };
    },
    points: (motion, t, place) => [{ x: t }, ...indices(motion, name).map((i) => ({ x: t, y: motion.value(name, place, i), colour: COLOURS[i % COLOURS.length] }))],
  };
}

/** Columns of a body that share a unit, over time. */
function together(names, symbols, title, label, unit, caption) {
  return {
    title,
    isFor: (motion) => motion.isBody,
    content: (motion) => ({
      x: time, y: { label, unit, floor: motion.floor(unit) }, caption: caption?.(motion) ?? "",
      curves: names.map((name, i) => ({ name: symbols[i], x: motion.t, y: motion.values(name), colour: COLOURS[i] })),
    }),
    points: (motion, t, place) => [{ x: t }, ...names.map((name, i) => ({ x: t, y: motion.value(name, place), colour: COLOURS[i] }))],
  };
}

/** One quantity over another. */
function against(title, [xName, xSymbol], [yName, ySymbol], caption) {
  return {
    title,
    isFor: (motion) => motion.isMotion && !motion.isBody && Boolean(motion.column(xName) && motion.column(yName)),
    content: (motion) => {
      const all = indices(motion, yName).filter((i) => motion.column(xName, i));
      return {
        x: { label: xSymbol, unit: motion.column(xName).unit, floor: motion.floor(motion.column(xName).unit) },
        y: { label: ySymbol, unit: motion.column(yName).unit, floor: motion.floor(motion.column(yName).unit) }, caption: caption?.(motion) ?? "",
        curves: all.map((i) => ({ name: all.length > 1 ? `${ySymbol}${sub(i)}` : "", ...unjoined(motion, motion.values(xName, i), motion.values(yName, i), xName), colour: COLOURS[i % COLOURS.length] })),
      };
    },
    points: (motion, t, place) => indices(motion, yName).filter((i) => motion.column(xName, i)).map((i) => ({ x: motion.value(xName, place, i), y: motion.value(yName, place, i), colour: COLOURS[i % COLOURS.length] })),
  };
}

/** A curve over velocity without lines through the jumps of friction and of impacts: it is interrupted at sign changes of the velocity. */
function unjoined(motion, x, y, xName) {
  if (xName !== "sliding" && xName !== "velocity") return { x, y };
  let most = 0;
  for (const v of y) if (Math.abs(v) > most) most = Math.abs(v);
  const [u, w] = [[], []];
  for (let i = 0; i < x.length; i += 1) {
    const isJump = i > 0 && x[i] !== x[i - 1] && (motion.t[i] === motion.t[i - 1] || (x[i] * x[i - 1] < 0 && Math.abs(y[i] - y[i - 1]) > 0.3 * most));
    if (isJump) {
      u.push(NaN);
      w.push(NaN);
    }
    u.push(x[i]);
    w.push(y[i]);
  }
  return { x: u, y: w };
}

/** Whether the normal load of a contact varies; its belt may do so alone. */
function loadVaries(motion, contact, i) {
  const normal = motion.history(`normal_${i}`);
  return contact.varies && (normal?.some((load) => load !== normal[0]) ?? true);
}

/** The normal load that a law is drawn for: the largest where it varies. */
function loadOf(motion, contact, i) {
  const normal = contact.varies ? motion.history(`normal_${i}`) : null;
  return normal ? normal.reduce((most, v) => Math.max(most, v), 0) : contact.load;
}

/** The friction law of each contact, with the working point on it. */
export const LAW = {
  title: "Friction law",
  isFor: (motion) => motion.isMotion && !motion.isBody && motion.contacts.length > 0 && Boolean(motion.column("sliding")),
  content: (motion) => {
    const own = motion.contacts.slice(0, MOST).filter((_, i) => motion.column("sliding", i));
    const [speed, force] = [motion.column("sliding").unit, motion.column("friction").unit];
    const curves = own.map((contact, i) => ({
      name: own.length > 1 ? `contact ${i}` : "", x: contact.velocity, y: contact.coefficient.map((phi) => phi * loadOf(motion, contact, i)),
      colour: own.length > 1 ? COLOURS[i % COLOURS.length] : "muted", width: 2.5,
    }));
    const trace = own.map((_, i) => ({ name: "", ...unjoined(motion, motion.values("sliding", i), motion.values("friction", i), "sliding"), colour: "ink", width: 1, alpha: 0.5, isQuiet: true }));
    return {
      x: { label: "sliding velocity v", symbol: "v", unit: speed, floor: motion.floor(speed) }, y: { label: "friction H", symbol: "H", unit: force, floor: motion.floor(force) },
      curves: [...curves, ...trace],
      caption: `${own[0].law.replaceAll("-", " ")}: the dot is the current state of the contact.${own.some((contact, i) => loadVaries(motion, contact, i)) ? " The load varies; the curve is for its largest value." : ""}`,
    };
  },
  points: (motion, t, place) => motion.contacts.slice(0, MOST).map((_, i) => ({
    x: motion.sticks(i, t) && Math.abs(motion.value("sliding", place, i)) < 1e-6 ? 0 : motion.value("sliding", place, i),
    y: motion.value("friction", place, i), colour: motion.isOpen(i, place) ? "ink" : motion.sticks(i, t) ? "stick" : "slide",
  })),
};

const frequencies = {
  title: "Spectrum",
  isFor: (motion) => motion.isMotion && !motion.isBody && motion.t.length > 8,
  content: (motion) => {
    const { omega, amplitude } = spectrum(motion.t, motion.values("position"));
    return {
      x: { label: "angular frequency ω", symbol: "ω", unit: "rad/s", isTight: true }, y: { label: "amplitude of u", symbol: "A", unit: motion.column("position").unit, isLog: true },
      curves: [{ name: "", x: omega, y: amplitude, colour: "accent", width: 1.5 }], caption: "Of the samples, with a Hann window.",
    };
  },
  points: () => [],
};

export const ENERGY = {
  title: "Energy",
  isFor: (motion) => motion.isMotion && Boolean(energies(motion)),
  content: (motion) => {
    const residual = motion.reply.facts.find(({ name }) => name === "energy_residual");
    const all = energies(motion);
    return {
      x: time, y: { label: all.length > 1 ? "energy" : all[0][0], symbol: "E", unit: "J" }, bands: bands(motion),
      curves: all.map(([name, values, colour]) => ({ name, x: motion.t, y: values, colour })),
      caption: residual ? `Work in, stored and lost balance to ${short(residual.value, 2)} J (whole run).` : "",
    };
  },
  points: (_, t) => [{ x: t }],
};

/** Stored energies and losses over time, each with its name and colour; losses are counted from the first sample. */
export function energies(motion) {
  if (motion.isBody) return bodyEnergies(motion);
  const history = (name) => motion.history(name);
  if (!history("kinetic")) return null;
  const first = (values) => values.map((e) => e - values[0]);
  const has = (values) => values.some((e) => e !== 0);
  return [
    ["kinetic", history("kinetic"), "accent"], ...(has(history("elastic")) ? [["in springs", history("elastic"), "load"]] : []), ["lost in friction", first(history("friction_loss")), "force"],
    ...(has(history("viscous_loss")) ? [["lost in dampers", first(history("viscous_loss")), "third"]] : []),
  ];
}

function bodyEnergies(motion) {
  const { body } = motion.reply.scenario?.system ?? {};
  if (!body) return null;
  const [vx, vy, omega, x, y, fx, fy, mz] = ["vx", "vy", "omega", "x", "y", "fx", "fy", "mz"].map((name) => motion.values(name));
  const { velocity = [0, 0], spin = 0, centre = [0, 0] } = motion.shown.slide.surface ?? {};
  const sliding = vx.map((v, i) => 0.5 * body.mass * (v * v + vy[i] * vy[i]));
  const spinning = omega.map((w) => 0.5 * body.inertia * w * w);
  // power of friction over the surface, which may move itself
  const power = vx.map((v, i) => -(fx[i] * (v - velocity[0] + spin * (y[i] - centre[1])) + fy[i] * (vy[i] - velocity[1] - spin * (x[i] - centre[0])) + mz[i] * (omega[i] - spin)));
  const lost = new Float64Array(vx.length);
  for (let i = 1; i < lost.length; i += 1) lost[i] = lost[i - 1] + 0.5 * (motion.t[i] - motion.t[i - 1]) * (power[i] + power[i - 1]);
  // with a mass inside, or its centre elsewhere, the energy is not that of sliding and spinning about the middle
  const isPlain = !body.inner_mass && !body.centre_of_mass?.some((v) => v !== 0);
  return [...(isPlain ? [["sliding", sliding, "accent"], ["spinning", spinning, "load"]] : []), ["lost in friction", lost, "force"]];
}

function indices(motion, name) {
  const list = [];
  for (let i = 0; i < MOST && (motion.column(name, i) ?? null); i += 1) list.push(i);
  return list;
}

function sub(i) {
  return [...String(i)].map((c) => "₀₁₂₃₄₅₆₇₈₉"[Number(c)]).join("");
}

/** A plot of a motion, cut to what a printed figure shows. */
function cut(panel, title, { x, y }, caption) {
  const content = (motion) => {
    const whole = panel.content(motion);
    return { ...whole, x: { ...whole.x, range: x ?? whole.x.range }, y: { ...whole.y, range: y ?? whole.y.range }, caption };
  };
  return { ...panel, title, content };
}

const position = history("position", "Position", "u", "Shaded: the contact sticks.");
const velocity = history("velocity", "Velocity", "u̇");
const acceleration = history("acceleration", "Acceleration", "ü");
const friction = history("friction", "Friction force", "H");
const phasePlane = against("Phase plane", ["position", "u"], ["velocity", "u̇"], (motion) => (motion.isPeriodic ? "Position and velocity; the closed curve is one period." : "Position and velocity."));

/** The nine panels of papers A and B. */
const NINE = [
  position, velocity, acceleration, friction, history("slope", "Slope of the friction force", "H′"),
  against("Friction over velocity", ["velocity", "u̇"], ["friction", "H"]), against("Slope over velocity", ["velocity", "u̇"], ["slope", "H′"]),
  phasePlane, against("Velocity and acceleration", ["velocity", "u̇"], ["acceleration", "ü"]),
];

/** What the printed figures of the papers show, by the names of their scenarios in the menu. */
const PRINTED = [
  [/^paper-[ab]-/, NINE],
  [/^paper-e-(?!driven)/, [
    cut(position, "Position, the first 20 s", { x: [0, 20] }, "It should stop at the first turning point."),
    cut(position, "Position, while it should rest", { y: [-0.55, 0.05] }, "Exact Coulomb friction holds it at −0.5 m for ever."),
    cut(velocity, "Velocity where it stops", { x: [3.1, 3.4] }, "Chatter, creep or rest."),
  ]],
];

/** The panels of the printed figure of a scenario, if it has one. */
export function printed(name) {
  return PRINTED.find(([names]) => names.test(name))?.[1] ?? [];
}

/** All plots, in the order of the page. */
export const PANELS = [
  position,
  phasePlane,
  velocity,
  against("Hysteresis", ["position", "u"], ["friction", "H"], (motion) => (motion.contacts.some(({ belt, varies }) => belt !== 0 || varies) ? "" : motion.isPeriodic ? "The area inside is the energy lost in friction in a period." : "The area below the curve is the work against friction.")),
  friction,
  frequencies,
  together(["vx", "vy"], ["vx", "vy"], "Velocity of the body", "velocity", "m/s"),
  together(["omega"], ["ω"], "Spin", "ω", "rad/s", (motion) => (endsTogether(motion) ? "Sliding and spinning end together." : "")),
  together(["fx", "fy"], ["Fx", "Fy"], "Friction force on the body", "force", "N"),
  together(["mz"], ["Mz"], "Friction moment", "Mz", "N m"),
  ENERGY,
];

/** Whether a body that spun has come to rest. */
function endsTogether(motion) {
  return motion.values("omega")[0] !== 0 && motion.reply.facts.some(({ name, value }) => name === "stop_time" && value !== null);
}

