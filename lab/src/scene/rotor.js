// Rotors on a shaft: discs with a spoke, torsion springs, brake shoes and clutch plates; torques as arcs.

import { colours, short } from "../dom.js";
import { arrow, block, box, dashpot, hatched, label, slanted, spring } from "./draw.js";
import { largest } from "./line.js";
import { Scale } from "./scale.js";

const WALL = 34;
/** Space above and below the rotors (px). */
const [ABOVE, BELOW] = [26, 52];
/** Angle that the largest torque spans (rad). */
const ARC = 1.9;

export class RotorScene {
  #torque = new Scale();
  drawn = [];

  show(plan, motion, { isNew, isSketch }) {
    Object.assign(this, { plan, motion, isSketch });
    if (isNew) this.#torque.forget();
    this.#torque.show(Math.max(motion.largest("friction"), ...plan.loads.map((i) => largest(motion.history(`force_load_${i}`)))));
  }

  get isMoving() {
    return this.#torque.isMoving;
  }

  get description() {
    const { n } = this.plan;
    return `${n === 1 ? "a rotor" : `${n} rotors on a shaft`} with friction`;
  }

  draw(context, width, height, t) {
    const colour = colours();
    const { plan, motion } = this;
    this.drawn = [];
    const place = motion.locate(t);
    const slot = (width - WALL - 20) / plan.n;
    // torques as arcs above, shoe and words below
    const radius = Math.min(0.27 * slot, 0.5 * (height - ABOVE - BELOW), 100);
    const middle = 0.5 * (ABOVE + height - BELOW);
    const centre = plan.masses.map((_, i) => ({ x: WALL + slot * (i + (plan.controllers.length ? 0.36 : 0.5)) + 8, y: middle }));
    this.place = { centre, radius, ties: new Map() };
    this.#shaft(context, colour, centre, radius);
    plan.masses.forEach((_, i) => this.#rotor(context, colour, i, t, place, centre[i], radius));
    this.#stops(context, colour, centre, radius);
    for (const contact of plan.contacts) this.#contact(context, colour, contact, t, place, centre, radius);
    this.#torques(context, colour, place, centre, radius);
    this.#controllers(context, colour, centre, radius, width);
    if (plan.hasBase) {
      this.drawn.push("base");
      label(context, "the base turns to and fro; angles are measured on it", width / 2, height - 14, colour.muted, "center", 12);
    }
  }

  /** Torsion springs and dampers, along the shaft. */
  #shaft(context, colour, centre, radius) {
    const { plan } = this;
    const ties = [...plan.springs.map((pair) => ["spring", pair]), ...plan.curved.map(({ on }, k) => ["nonlinear", on.length === 1 ? [-1, on[0]] : on, k]), ...plan.dampers.map((pair) => ["damper", pair])];
    if (ties.some(([, [a, b]]) => a < 0 && b === 0)) hatched(context, WALL, centre[0].y - 1.1 * radius, WALL, centre[0].y + 1.1 * radius, colour.ink, colour.faint, 1);
    const rank = new Map();
    for (const [kind, [a, b], k] of ties) {
      const key = `${a} ${b}`;
      const at = rank.get(key) ?? 0;
      rank.set(key, at + 1);
      const count = ties.filter(([, [c, d]]) => c === a && d === b).length;
      // a tie of the last rotor to the ground goes to a wall behind it, that of one in between to a wall below the shaft
      const isFar = a < 0 && b > 0;
      const isLast = isFar && b === plan.n - 1 && !plan.controllers.length;
      const y = centre[b].y + 22 * (at - 0.5 * (count - 1)) + (isFar && !isLast ? 0.8 * radius : 0);
      const wall = isLast ? centre[b].x + 1.75 * radius : isFar ? centre[b].x - 1.5 * radius : WALL;
      const [x1, x2] = a >= 0 ? [centre[a].x + radius, centre[b].x - radius] : isLast ? [centre[b].x + radius, wall] : [wall, centre[b].x - (isFar ? 0.6 : 1) * radius];
      if (isFar && at === 0) hatched(context, wall, y - 20, wall, y + 20, colour.ink, colour.faint, isLast ? -1 : 1);
      if (kind === "damper") dashpot(context, x1, x2, y, colour.ink);
      else spring(context, x1, x2, y, colour.ink, 7, 5);
      if (kind === "nonlinear") slanted(context, (x1 + x2) / 2, y, 13, colour.ink);
      const name = kind === "nonlinear" ? `nonlinear spring ${k}` : `${kind} ${a} ${b}`;
      this.drawn.push(name);
      this.place.ties.set(name, [x1, x2]);
    }
  }

  #rotor(context, colour, i, t, place, { x, y }, radius) {
    const { plan, motion } = this;
    this.drawn.push(`${plan.prescribed.has(i) ? "prescribed" : "rotor"} ${i}`);
    const own = plan.contacts.filter(({ on }) => on.includes(i));
    const isFree = own.length === 0 || this.isSketch;
    const fill = isFree ? colour.ink : own.every(({ c }) => motion.sticks(c, t)) ? colour.stick : colour.slide;
    context.save();
    context.shadowColor = "rgb(0 0 0 / 26%)";
    context.shadowBlur = 8;
    context.fillStyle = fill;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    context.restore();
    const angle = -motion.value("position", place, i);
    context.strokeStyle = colour.on;
    context.globalAlpha = 0.45;
    context.lineWidth = 3;
    context.beginPath();
    for (let k = 1; k < 3; k += 1) {
      context.moveTo(x, y);
      context.lineTo(x + 0.86 * radius * Math.cos(angle + (2 * Math.PI * k) / 3), y + 0.86 * radius * Math.sin(angle + (2 * Math.PI * k) / 3));
    }
    context.stroke();
    context.globalAlpha = 1;
    context.lineWidth = 4;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 0.9 * radius * Math.cos(angle), y + 0.9 * radius * Math.sin(angle));
    context.stroke();
    context.fillStyle = colour.card;
    context.beginPath();
    context.arc(x, y, 0.16 * radius, 0, 2 * Math.PI);
    context.fill();
    const name = plan.n > 1 ? `${i}: ` : "";
    const speed = this.isSketch ? "" : `, ${short(Math.abs(motion.value("velocity", place, i)) < motion.floor("rad/s") ? 0 : motion.value("velocity", place, i), 3)} rad/s`;
    label(context, `${name}${short(plan.masses[i], 3)} kg m²${speed}`, x, y + radius + 38, colour.text, "center", 12);
  }

  /** Stops as marks at the rim, with a pin on the rotor. */
  #stops(context, colour, centre, radius) {
    this.plan.stops.forEach((stop, k) => {
      this.drawn.push(`stop ${k}`);
      const { x, y } = centre[stop.on[0]];
      for (const angle of [stop.lower, stop.upper].filter(Number.isFinite)) {
        const [c, s] = [Math.cos(-angle), Math.sin(-angle)];
        hatched(context, x + 1.04 * radius * c, y + 1.04 * radius * s, x + 1.25 * radius * c, y + 1.25 * radius * s, colour.ink, colour.faint, 1);
      }
    });
  }

  #contact(context, colour, { c, on }, t, place, centre, radius) {
    this.drawn.push(`contact ${c}`);
    const { motion } = this;
    const fill = this.isSketch ? colour.muted : motion.sticks(c, t) ? colour.stick : colour.slide;
    if (on.length === 1) {
      // a brake shoe at the rim; of several the next ones follow along it
      const same = this.plan.contacts.filter((other) => other.on.length === 1 && other.on[0] === on[0]);
      const rank = same.findIndex((other) => other.c === c) - 0.5 * (same.length - 1);
      const { x, y } = centre[on[0]];
      const shoe = x + 0.9 * radius * rank;
      const top = y + Math.sqrt(Math.max(0, radius * radius - (shoe - x) ** 2)) + 2;
      block(context, shoe - 0.28 * radius, top, 0.56 * radius, 10, 3, fill, true);
      hatched(context, shoe - 0.4 * radius, y + radius + 14, shoe + 0.4 * radius, y + radius + 14, colour.ink, colour.faint, 1);
      return;
    }
    // clutch plates between the rotors: the gap closes while they are pressed together
    const [left, right] = on.map((i) => centre[i]).sort((a, b) => a.x - b.x);
    const load = motion.history(`normal_${c}`) ? motion.past(`normal_${c}`, place) : 1;
    const gap = this.isSketch || load > 0 ? 0 : 7;
    const middle = (left.x + right.x) / 2;
    context.strokeStyle = colour.ink;
    context.lineWidth = 6;
    context.beginPath();
    context.moveTo(left.x + radius, left.y);
    context.lineTo(middle - 8 - gap, left.y);
    context.moveTo(right.x - radius, right.y);
    context.lineTo(middle + 8 + gap, right.y);
    context.stroke();
    for (const side of [-1, 1]) block(context, middle + (side < 0 ? -9 - gap : 1 + gap), left.y - 0.62 * radius, 8, 1.24 * radius, 2, fill, true);
  }

  #torques(context, colour, place, centre, radius) {
    const { plan, motion } = this;
    const arc = (i, value, distance, style) => {
      const angle = (ARC * value) / this.#torque.value;
      if (Math.abs(angle) < 0.04) return;
      const { x, y } = centre[i];
      const r = radius + distance;
      const end = -Math.PI / 2 - angle;
      context.strokeStyle = style;
      context.lineWidth = 3.5;
      context.beginPath();
      context.arc(x, y, r, -Math.PI / 2, end, angle > 0);
      context.stroke();
      const [tx, ty] = [x + r * Math.cos(end), y + r * Math.sin(end)];
      const along = end - Math.sign(angle) * (Math.PI / 2);
      arrow(context, tx - 4 * Math.cos(along), ty - 4 * Math.sin(along), tx + 9 * Math.cos(along), ty + 9 * Math.sin(along), style, 3.5);
    };
    for (const i of plan.loads) {
      this.drawn.push(`load ${i}`);
      arc(i, this.isSketch ? 0.5 * this.#torque.value : motion.past(`force_load_${i}`, place), 18, colour.load);
    }
    if (this.isSketch) return;
    for (const { c, on, sign } of plan.contacts) for (const i of on) arc(i, -sign[i] * motion.value("friction", place, c), 8, colour.force);
  }

  #controllers(context, colour, centre, radius, width) {
    this.plan.controllers.forEach((controller, k) => {
      this.drawn.push(`controller ${k}`);
      const { x, y } = centre[controller.on[0]];
      const at = Math.min(width - 76, x + 2.1 * radius + 40);
      context.strokeStyle = colour.load;
      context.lineWidth = 1.5;
      context.setLineDash([4, 4]);
      context.beginPath();
      context.moveTo(x + radius, y);
      context.lineTo(at - 50, y);
      context.stroke();
      context.setLineDash([]);
      context.fillStyle = colour.card;
      box(context, at - 50, y - 16, 100, 32, 6);
      context.fill();
      context.stroke();
      label(context, controller.name, at, y, colour.text, "center", 12);
    });
  }

  pointer() {
    return false;
  }

  legend(colour) {
    if (this.isSketch) return [["sketch of the system", colour.ink]];
    const items = [["slides", colour.slide], ["sticks", colour.stick], ["friction torque", colour.force]];
    if (this.plan.loads.length) items.push(["load", colour.load]);
    return items;
  }
}
