// One glance at why it moves: the free body with its forces and the friction limit, the law with the state on it, the energies.

import { colours, el, short, sized, type } from "../dom.js";
import { firstLoad } from "../loads.js";
import { ENERGY, LAW } from "../plot/panels.js";
import { Plot } from "../plot/plot.js";
import { arrow, block, hatched, label } from "../scene/draw.js";
import { largest } from "../scene/line.js";
import { Scale } from "../scene/scale.js";
import { dofsOf, list, planOf, units } from "../scene/plan.js";

/** Forces below this part of the largest have no arrow. */
const SMALL = 2e-3;
/** Forces in the picture over the limit of friction, at most: larger ones are cut, so that the band stays readable. */
const WIDEST = 4;
/** Histories of the forces that have a row each. */
const KINDS = ["load", "spring", "damper", "rest"];
/** Share of μN below which the friction of a body is smaller than that. */
const FULL = 5e-3;

export class ExplainMode {
  name = "explain";
  title = "Explain";
  #canvas = el("canvas", { "aria-hidden": "true" });
  #area = el("div", { class: "area", role: "img", "aria-label": "free body" }, this.#canvas);
  #which = el("select", { "aria-label": "degree of freedom", onchange: () => { this.#chosen = Number(this.#which.value); this.#draw(); } });
  #words = el("p", { class: "caption" });
  #law = new Plot("Friction law");
  #energy = new Plot("Energy");
  /** Holds the limit surface of a body, which is its law. */
  side = el("div", { class: "beside" });
  #note = el("p", { class: "note", role: "status" });
  #scale = new Scale();
  /** The force at the edge of the picture. */
  #reach = new Scale();
  /** Number of the degree of freedom; of a new scenario the first one that friction acts on. */
  #chosen = null;
  #now = null;
  /** What the last picture shows: forces by name, the friction limit, the normal load. */
  shown = null;

  #remedy = el("button", { type: "button", hidden: "", onclick: () => this.state.set([[["analysis"], { steady: {} }]]) }, "Show the periodic motion at the present frequency");

  constructor(state) {
    this.state = state;
    this.figure = el("figure", { class: "plot card" }, el("figcaption", {}, el("h2", {}, "Free body"), this.#which), this.#area, this.#words);
    this.element = el("div", { class: "mode" }, this.#note, this.#remedy, el("div", { class: "plots three" }, this.figure, this.#law.element, this.side, this.#energy.element));
    new ResizeObserver(() => requestAnimationFrame(() => this.#draw())).observe(this.#area);
  }

  /** The largest force that has been shown (N). */
  get scale() {
    return this.#scale.value;
  }

  clear() {
    this.#scale.forget();
    this.#reach.forget();
    this.#now = null;
    this.shown = null;
    this.#chosen = null;
  }

  update(motion) {
    const hasForces = Boolean(motion.history("force_load_0")) || motion.isBody;
    this.figure.hidden = !hasForces;
    const { system, analysis } = motion.reply.scenario;
    this.#remedy.hidden = !analysis?.response || !firstLoad(motion.reply.scenario) || planOf(motion.reply.scenario, []).kind === "field";
    this.#note.textContent = !motion.isMotion ? `${analysis?.response ? "A response" : "A diagram"} has no single motion to explain${this.#remedy.hidden && !system.body ? ": the analysis transient gives one" : ""}.` : hasForces ? "" : "This system is drawn as a field: forces and energies are shown of systems of up to twelve masses.";
    this.#law.element.hidden = !LAW.isFor(motion);
    this.#energy.element.hidden = !ENERGY.isFor(motion);
    if (LAW.isFor(motion)) this.#law.show(() => LAW.content(motion));
    if (ENERGY.isFor(motion)) this.#energy.show(() => ENERGY.content(motion));
    const n = motion.isBody ? 1 : motion.kind("position").length;
    const isRotor = motion.isMotion && !motion.isBody && units(motion.reply.scenario).mass !== "kg";
    this.#chosen = Math.min(this.#chosen ?? Math.max(0, motion.contacts.find(({ direction }) => direction.some(Boolean))?.direction.findIndex(Boolean) ?? 0), Math.max(0, n - 1));
    this.#which.hidden = n < 2;
    const names = Array.from({ length: n }, (_, i) => `${isRotor ? "rotor" : "mass"} ${i}`);
    if ([...this.#which.options].map(({ text }) => text).join() !== names.join()) this.#which.replaceChildren(...names.map((name, i) => el("option", { value: i }, name)));
    this.#which.value = String(this.#chosen);
    if (hasForces && !motion.isBody) {
      const limits = names.map((_, i) => motion.contacts.reduce((sum, { bound, direction }, c) => sum + bound * Math.abs(direction[i]) * largest(motion.history(`normal_${c}`)), 0));
      const most = Math.max(...names.flatMap((_, i) => [...KINDS, "contact"].map((kind) => largest(motion.history(`force_${kind}_${i}`)))), ...limits);
      this.#scale.show(most);
      this.#reach.show(Math.min(most, WIDEST * Math.max(...limits) || most));
    }
  }

  time(motion, t) {
    const place = motion.locate(t);
    this.#now = { motion, t, place };
    if (LAW.isFor(motion)) this.#law.point(() => LAW.points(motion, t, place));
    if (ENERGY.isFor(motion)) this.#energy.point(() => [{ x: t }]);
    this.#draw();
  }

  #draw() {
    if (!this.#now || this.element.hidden || this.figure.hidden) return;
    const { context, width, height } = sized(this.#canvas);
    if (width === 0) return;
    if (this.#now.motion.isBody) this.#body(context, width, height);
    else this.#line(context, width, height);
  }

  /** Forces on one mass along its line, the normal load across it, and the limit of friction as a band. */
  #line(context, width, height) {
    const { motion, t, place } = this.#now;
    const colour = colours();
    const i = this.#chosen;
    const unit = units(motion.reply.scenario).force;
    const value = (name) => motion.past(`force_${name}_${i}`, place);
    const own = motion.contacts.map((contact, c) => ({ ...contact, c })).filter(({ direction }) => direction[i]);
    const normal = own.reduce((sum, { c }) => sum + motion.past(`normal_${c}`, place), 0);
    const limit = own.reduce((sum, { c, bound, direction }) => sum + bound * Math.abs(direction[i]) * motion.past(`normal_${c}`, place), 0);
    const rows = [[loadName(motion), value("load"), colour.load], ["spring", value("spring"), colour.ink], ["damper", value("damper"), colour.third], [restName(motion, i), value("rest"), colour.fourth]];
    const shown = rows.filter((_, k) => largest(motion.history(`force_${KINDS[k]}_${i}`)) > SMALL * this.#scale.value);
    const beside = Math.min(150, 0.36 * width);
    const size = Math.min(0.26 * (width - beside), 0.3 * height);
    const [x, ground] = [(beside + width) / 2, height - 66];
    const half = 0.5 * (width - beside) - 8;
    const px = half / (1.06 * this.#reach.value);
    const isOpen = own.length > 0 && normal === 0;
    const sticks = own.length > 0 && own.every(({ c }) => motion.sticks(c, t));
    const fill = own.length === 0 || isOpen ? colour.ink : sticks ? colour.stick : colour.slide;
    if (unit === "N m") rotor(context, x, ground - 0.4 * size, 0.4 * size, fill, colour, own.length > 0);
    else {
      hatched(context, 12, ground, width - 12, ground, colour.ink, colour.faint, 1);
      block(context, x - size / 2, ground - 0.8 * size, size, 0.8 * size - 1, 7, fill);
    }
    label(context, own.length === 0 ? "free" : isOpen ? "open" : sticks ? "sticks" : "slides", x, ground - 0.4 * size, colour.on, "center", unit === "N m" ? Math.min(14, (0.24 * size) / type()) : 14);
    // the normal load presses from above, the ground answers from below
    if (own.length) {
      const long = Math.min(34, 0.14 * height);
      const most = own.reduce((sum, { c }) => sum + largest(motion.history(`normal_${c}`)), 0);
      const top = ground - 0.8 * size - 3;
      if (normal > 0) arrow(context, x - 0.3 * size, top - Math.max(8, (long * normal) / most), x - 0.3 * size, top, colour.muted, 3);
      label(context, `N = ${short(normal, 3)} ${unit}`, 6, ground - 0.8 * size - 0.5 * long, colour.text, "left", 12);
    }
    const top = 16;
    shown.forEach(([name, force, style], k) => {
      const y = top + 19 * k;
      label(context, `${name} ${short(clean(force, this.#scale.value), 3)} ${unit}`, 6, y, colour.text, "left", 12);
      context.fillStyle = colour.faint;
      context.fillRect(x - 0.5, y - 8, 1, 16);
      cutArrow(context, x, y, px * force, half, style, colour.card);
    });
    if (own.length) {
      const y = ground + 30;
      context.fillStyle = colour.force;
      context.globalAlpha = 0.16;
      context.fillRect(x - px * limit, y - 13, 2 * px * limit, 26);
      context.globalAlpha = 1;
      arrow(context, x, y, x + px * value("contact"), y, colour.force, 5, colour.card);
      // over the arrow, whose outline would cut the edge that it reaches
      context.strokeStyle = colour.force;
      context.lineWidth = 1.5;
      context.strokeRect(x - px * limit, y - 13, 2 * px * limit, 26);
      label(context, `friction ${short(clean(value("contact"), this.#scale.value), 3)} ${unit}`, 6, y - 7, colour.text, "left", 12);
      label(context, `limit ±${short(limit, 3)} ${unit}`, 6, y + 9, colour.muted, "left", 12);
    }
    this.shown = { band: (2 * px * limit) / width, forces: Object.fromEntries([...shown.map(([name, force]) => [name, force]), ["friction", value("contact")]]), limit, normal };
    this.#area.setAttribute("aria-label", `free body: ${shown.map(([name, force]) => `${name} ${short(force, 3)}`).join(", ")}, friction ${short(value("contact"), 3)} within ±${short(limit, 3)} ${unit}`);
    const turns = unit === "N m" ? " Arrows to the right are counter-clockwise torques." : "";
    const stuck = own.filter(({ c }) => motion.sticks(c, t));
    const creep = Math.max(0, ...stuck.map(({ c }) => Math.abs(motion.value("sliding", place, c))));
    const { unit: perSecond } = motion.column("sliding") ?? {};
    const moves = stuck.length > 0 && stuck.length === own.length && creep > motion.floor(perSecond);
    this.#words.textContent = (isOpen ? "The contact is open: without a normal load there is no friction."
      : moves && own.every(({ memory }) => memory) ? `It sticks: the elastic contact deflects at ${short(creep, 2)} ${perSecond}, and friction stays inside the band.`
      : moves ? `It counts as stuck, but creeps at ${short(creep, 2)} ${perSecond}: the law gives friction only to a contact that moves.`
      : stateOf(own.length, stuck.length)) + turns;
  }

  /** A body from above: friction inside the circle μN. */
  #body(context, width, height) {
    const { motion, t, place } = this.#now;
    const colour = colours();
    const { mass, gravity = 9.81, tilt = 0, patch } = motion.reply.scenario.system.body;
    const inner = motion.reply.scenario.system.body.inner_mass?.mass ?? 0;
    const normal = patch.load > 0 ? patch.load : (mass + inner) * gravity * Math.cos(tilt);
    const limit = patch.mu * normal;
    const radius = 0.36 * Math.min(width, height);
    const [x, y] = [width / 2, height / 2];
    const [fx, fy] = ["fx", "fy"].map((name) => motion.value(name, place));
    const [vx, vy] = ["vx", "vy"].map((name) => motion.value(name, place));
    context.fillStyle = colour.force;
    context.globalAlpha = 0.14;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = colour.force;
    context.lineWidth = 1.5;
    context.stroke();
    const speed = Math.max(motion.largest("vx"), motion.largest("vy")) || 1;
    arrow(context, x, y, x + (radius * vx) / speed, y - (radius * vy) / speed, colour.load, 3);
    arrow(context, x, y, x + (radius * fx) / limit, y - (radius * fy) / limit, colour.force, 5, colour.card);
    label(context, `friction ${short(Math.hypot(fx, fy), 3)} N, at most μN = ${short(limit, 3)} N`, x, height - 12, colour.text, "center", 12);
    this.shown = { forces: { friction: Math.hypot(fx, fy) }, limit, normal };
    const force = Math.hypot(fx, fy);
    const isFull = force > (1 - FULL) * limit;
    const rests = motion.sticks(0, t) || ["vx", "vy", "omega"].every((name) => motion.value(name, place) === 0);
    this.#words.textContent = rests ? "It rests: friction balances the other forces."
      : isFull ? "All points slide in nearly the same direction, so the force is μN."
      : "Spin turns the friction of each point away from the velocity, so the force is smaller than μN; the rest is a moment.";
  }
}

/** What friction does, of contacts of which some stick. */
function stateOf(count, stuck) {
  if (count === 0) return "No contact: no friction.";
  if (stuck === count) return "It sticks: friction balances the other forces and stays inside the band.";
  if (count === 1) return "It slides: friction is what the law gives at this speed, against the sliding.";
  if (stuck === 0) return "All its contacts slide; the arrow is the sum of their friction.";
  return `${stuck} of its ${count} contacts stick; the arrow is the sum of their friction.`;
}

/** A rotor with the shoe or plate that rubs on it. */
function rotor(context, x, y, radius, fill, colour, hasContact) {
  context.fillStyle = fill;
  context.beginPath();
  context.arc(x, y, radius - 1, 0, 2 * Math.PI);
  context.fill();
  if (hasContact) hatched(context, x - radius, y + radius + 1, x + radius, y + radius + 1, colour.ink, colour.faint, 1);
}

/** An arrow along a line; one that is longer than the picture ends at its edge, with a gap that says so. */
function cutArrow(context, x, y, length, most, style, card) {
  const isCut = Math.abs(length) > most;
  const end = Math.sign(length) * Math.min(Math.abs(length), most);
  arrow(context, x, y, x + end, y, style, 3.5);
  if (!isCut) return;
  context.strokeStyle = card;
  context.lineWidth = 3;
  context.beginPath();
  for (const at of [0.45 * end - 3, 0.45 * end + 3]) {
    context.moveTo(x + at - 3, y + 6);
    context.lineTo(x + at + 3, y - 6);
  }
  context.stroke();
}

/** Where the load comes from: forces, or the acceleration of the ground. */
function loadName(motion) {
  const system = Object.values(motion.reply.scenario.system)[0];
  return ["force", "base"].filter((key) => list(system[key]).length > 0).map((key) => (key === "force" ? "load" : "shaking")).join(" and ") || "load";
}

/** What acts on degree of freedom `i` beside load, linear spring, damper and friction. */
function restName(motion, i) {
  const system = Object.values(motion.reply.scenario.system)[0];
  if (list(system.prescribed).some((one) => dofsOf(one, motion.kind("position").length).includes(i))) return "actuator";
  const has = (key) => list(system[key]).length > 0;
  return [["spring", "nonlinear spring"], ["control", "controller"], ["state_space", "state space"], ["stop", "stops"]].filter(([key]) => has(key)).map(([, name]) => name).join(", ") || "other";
}

/** A force that is round-off is zero. */
function clean(force, scale) {
  return Math.abs(force) < 1e-9 * scale ? 0 : force;
}
