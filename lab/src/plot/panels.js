// The plots of a motion: what each shows, and its moving point. One entry a plot.

import { short } from "../dom.js";
import { spectrum } from "./spectrum.js";

/** Curves that are told apart by colour. */
const COLOURS = ["slide", "stick", "force", "load", "third", "ink"];
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
      return { x: time, y: { label: symbol, unit: motion.column(name).unit }, curves, bands: bands(motion), caption: caption && motion.m > 1 ? "Shaded: contact 0 sticks." : caption };
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
      x: time, y: { label, unit }, caption,
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
        x: { label: xSymbol, unit: motion.column(xName).unit }, y: { label: ySymbol, unit: motion.column(yName).unit }, caption,
        curves: all.map((i) => ({ name: all.length > 1 ? `${ySymbol}${sub(i)}` : "", x: motion.values(xName, i), y: motion.values(yName, i), colour: COLOURS[i % COLOURS.length] })),
      };
    },
    points: (motion, t, place) => indices(motion, yName).filter((i) => motion.column(xName, i)).map((i) => ({ x: motion.value(xName, place, i), y: motion.value(yName, place, i), colour: COLOURS[i % COLOURS.length] })),
  };
}

/** The friction law of each contact, with the working point on it. */
export const LAW = {
  title: "Friction law",
  isFor: (motion) => motion.isMotion && motion.contacts.length > 0,
  content: (motion) => {
    const own = motion.contacts.slice(0, MOST);
    const curves = own.map((contact, i) => ({
      name: own.length > 1 ? `contact ${i}` : "", x: contact.velocity, y: contact.coefficient.map((phi) => phi * contact.load),
      colour: own.length > 1 ? COLOURS[i % COLOURS.length] : "muted", width: 2.5,
    }));
    const trace = own.map((_, i) => ({ name: "", x: motion.values("sliding", i), y: motion.values("friction", i), colour: "accent", width: 1, alpha: 0.5, isQuiet: true }));
    return {
      x: { label: "sliding velocity v", symbol: "v", unit: "m/s" }, y: { label: "friction H", symbol: "H", unit: "N" },
      curves: [...curves, ...trace],
      caption: `${own[0].law.replaceAll("-", " ")}: the point is where the contact works now.${own.some(({ varies }) => varies) ? " The load varies; the curve is for its constant part." : ""}`,
    };
  },
  points: (motion, t, place) => motion.contacts.slice(0, MOST).map((_, i) => ({
    x: motion.sticks(i, t) && Math.abs(motion.value("sliding", place, i)) < 1e-6 ? 0 : motion.value("sliding", place, i),
    y: motion.value("friction", place, i), colour: motion.sticks(i, t) ? "stick" : "slide",
  })),
};

const frequencies = {
  title: "Spectrum",
  isFor: (motion) => motion.isMotion && !motion.isBody && motion.t.length > 8,
  content: (motion) => {
    const { omega, amplitude } = spectrum(motion.t, motion.values("position"));
    return {
      x: { label: "angular frequency ω", symbol: "ω", unit: "rad/s", isTight: true }, y: { label: "amplitude of u", symbol: "A", unit: "m", isLog: true },
      curves: [{ name: "", x: omega, y: amplitude, colour: "slide", width: 1.5 }], caption: "Of the samples, with a Hann window.",
    };
  },
  points: () => [],
};

const energy = {
  title: "Energy",
  isFor: (motion) => motion.isMotion && (motion.isBody || motion.n === 1) && Boolean(energies(motion)),
  content: (motion) => {
    const residual = motion.reply.facts.find(({ name }) => name === "energy_residual");
    return {
      x: time, y: { label: "energy", symbol: "E", unit: "J" },
      curves: energies(motion).map(([name, values], i) => ({ name, x: motion.t, y: values, colour: COLOURS[i] })),
      caption: residual ? `Work in, stored and lost balance to ${short(residual.value, 2)} J (whole run).` : "",
    };
  },
  points: (_, t) => [{ x: t }],
};

function energies(motion) {
  const system = motion.reply.scenario?.system ?? {};
  if (system.body && !system.body.inner_mass) {
    const { mass, inertia } = system.body;
    const [vx, vy, omega] = ["vx", "vy", "omega"].map((name) => motion.values(name));
    const sliding = vx.map((v, i) => 0.5 * mass * (v * v + vy[i] * vy[i]));
    const spinning = omega.map((w) => 0.5 * inertia * w * w);
    return [["sliding", sliding], ["spinning", spinning], ["sum", sliding.map((e, i) => e + spinning[i])]];
  }
  if (system.oscillator) {
    const { mass, stiffness = 0 } = system.oscillator;
    const kinetic = motion.values("velocity").map((v) => 0.5 * mass * v * v);
    const potential = motion.values("position").map((x) => 0.5 * stiffness * x * x);
    return [["kinetic", kinetic], ["in the spring", potential], ["sum", kinetic.map((e, i) => e + potential[i])]];
  }
  return null;
}

/** Columns of a response or a diagram over its parameter. */
function overParameter(index) {
  const pick = (motion) => {
    const columns = motion.samples.slice(1).filter(({ name }) => !/^(is_|stable|fold)/.test(name));
    return columns[index];
  };
  return {
    title: index === 0 ? "Response" : index === 1 ? "Response, second" : `Response, ${index + 1}`,
    isFor: (motion) => !motion.isMotion && Boolean(pick(motion)),
    content: (motion) => {
      const column = pick(motion);
      const isDiagram = motion.shown === "bifurcation";
      return {
        x: { label: motion.first.name.replaceAll("_", " "), symbol: motion.first.symbol, unit: motion.first.unit, isTight: !isDiagram },
        y: { label: column.name.replaceAll("_", " "), symbol: column.symbol, unit: column.unit },
        curves: [{ name: "", x: motion.first.values, y: column.values, colour: COLOURS[index], isPoints: isDiagram }],
      };
    },
    points: () => [],
  };
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
const phasePlane = against("Phase plane", ["position", "u"], ["velocity", "u̇"], "Position and velocity, one turn a period.");

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
  against("Hysteresis", ["position", "u"], ["friction", "H"], "The area inside is the energy that friction takes in a period."),
  friction,
  frequencies,
  together(["vx", "vy"], ["vx", "vy"], "Velocity of the body", "velocity", "m/s"),
  together(["omega"], ["ω"], "Spin", "ω", "rad/s", "Sliding and spinning end together."),
  together(["fx", "fy"], ["Fx", "Fy"], "Friction force on the body", "force", "N"),
  together(["mz"], ["Mz"], "Friction moment", "Mz", "N m"),
  energy,
  overParameter(0),
  overParameter(1),
  overParameter(2),
];

