// Masses on lines: springs, dashpots, ground or belts, friction as arrows, stick by colour.

import { colours, short } from "../dom.js";
import { arrow, box, dashpot, hatched, label, spring } from "./draw.js";

/** Masses that are drawn; more would be a smear. */
const MOST = 16;
const WALL = 34;
/** Laws of springs with sliders, which are drawn as one. */
const ELASTIC = new Set(["jenkins", "iwan", "four-parameter-iwan"]);

/** The layout of a system: who is tied to whom, who stands on whom. */
export function layout(scenario, motion) {
  const [kind, system] = Object.entries(scenario.system)[0];
  const n = Math.min(MOST, motion.n);
  const springs = [];
  const dampers = [];
  if (kind === "oscillator") {
    if (system.stiffness > 0) springs.push([-1, 0]);
    if (system.damping > 0) dampers.push([-1, 0]);
  } else if (kind === "matrices") {
    tie(system.stiffness, n, springs);
    tie(system.damping, n, dampers);
  } else {
    for (let i = 0; i < n; i += 1) springs.push([i - 1, i]);
  }
  // a contact between two masses: the second stands on the first
  const below = Array(n).fill(-1);
  for (const { direction } of motion.contacts) {
    const plus = direction.findIndex((w) => w > 0);
    const minus = direction.findIndex((w) => w < 0);
    const isPair = direction.filter((w) => w !== 0).length === 2;
    if (isPair && plus < n && minus < n && plus >= 0 && minus >= 0 && !springs.some(([a, b]) => (a === minus && b === plus) || (a === plus && b === minus))) {
      below[Math.max(plus, minus)] = Math.min(plus, minus);
    }
  }
  const hasBase = [system.base ?? []].flat().length > 0;
  return { n, springs, dampers, below, hasBase, kind };
}

/** Pairs of masses with an entry in a matrix; −1 is the wall. */
function tie(matrix, n, pairs) {
  if (!Array.isArray(matrix) || !matrix.length) return;
  const isFull = Array.isArray(matrix[0]);
  for (let i = 0; i < n; i += 1) {
    const row = isFull ? matrix[i] : matrix.map((v, j) => (j === i ? v : 0));
    if (!row) continue;
    const rest = row.reduce((sum, v) => sum + v, 0);
    const size = Math.max(...row.map(Math.abs));
    if (Math.abs(rest) > 1e-9 * size && size > 0) pairs.push([-1, i]);
    for (let j = 0; j < i; j += 1) if (row[j] !== 0) pairs.push([j, i]);
  }
}

export class LineScene {
  #grab = null;
  #beltShift = [];
  #lastTime = null;
  /** Called with the position of mass i that the hand gives it. */
  onDrag = null;

  show(scenario, motion) {
    this.scenario = scenario;
    this.motion = motion;
    this.layout = layout(scenario, motion);
    const most = motion.largest("position");
    this.reach = this.#grab ? Math.max(this.reach, most) : most > 0 ? most : 1;
    this.force = Math.max(motion.largest("friction"), 1e-300);
  }

  get description() {
    const { n } = this.layout;
    return `${n === 1 ? "a mass" : `${n} masses`} with friction, moving along a line`;
  }

  draw(context, width, height, t) {
    const colour = colours();
    const { motion, layout: plan } = this;
    const place = motion.locate(t);
    const levels = plan.below.map((_, i) => level(plan.below, i));
    const columns = levels.filter((one) => one === 0).length;
    const slot = (width - WALL - 30) / Math.max(1, columns);
    const size = Math.min(0.34 * slot, 0.36 * height, 110);
    const ground = Math.min(height - 58, 0.5 * height + 0.5 * size * (1 + 0.75 * Math.max(0, ...levels)) + 18);
    const scale = (0.82 * (0.5 * (slot - size) - 8)) / this.reach;
    const motionScale = Math.max(0, Math.min(scale, (0.46 * slot) / this.reach));
    let next = 0;
    const centre = [];
    for (let i = 0; i < plan.n; i += 1) {
      const base = plan.below[i] >= 0 ? centre[plan.below[i]].home : WALL + slot * (0.5 + next++) + 8;
      const x = base + motionScale * motion.value("position", place, i);
      centre.push({ home: base, x, y: ground - size * (0.75 * levels[i] + 0.375) });
    }
    this.place = { centre, size, scale: motionScale };

    this.#surface(context, colour, width, ground, t, motionScale);
    if (plan.springs.some(([a]) => a < 0) || plan.dampers.some(([a]) => a < 0)) hatched(context, WALL, ground - Math.max(1.5 * size, 90), WALL, ground, colour.ink, colour.faint, 1);
    for (const [a, b] of plan.springs) this.#tie(context, centre, a, b, size, plan.dampers.length ? -0.14 : 0, (x1, x2, y) => spring(context, x1, x2, y, colour.ink, Math.min(9, 0.12 * size)));
    for (const [a, b] of plan.dampers) this.#tie(context, centre, a, b, size, 0.17, (x1, x2, y) => dashpot(context, x1, x2, y, colour.ink));
    this.#stops(context, colour, centre, size, motionScale, ground);
    this.#feet(context, colour, t, place, centre, size, motionScale, ground);
    for (let i = 0; i < plan.n; i += 1) this.#mass(context, colour, i, t, place, centre[i], size);
    this.#frictions(context, colour, t, place, centre, size);
    this.#loads(context, colour, t, centre, size);
  }

  #tie(context, centre, a, b, size, offset, draw) {
    const right = centre[b];
    const left = a < 0 ? WALL : centre[a].x + 0.5 * size;
    const far = Math.abs(b - a) > 1 && a >= 0;
    draw(left, right.x - 0.5 * size, right.y + offset * size - (far ? 0.3 * size : 0));
  }

  #surface(context, colour, width, ground, t, scale) {
    const belts = this.motion.contacts.map((contact) => contact.belt);
    const belt = belts.find((v) => v !== 0) ?? 0;
    const left = this.layout.springs.some(([a]) => a < 0) ? WALL : 10;
    if (this.motion.m === 0) {
      hatched(context, left, ground, width - 10, ground, colour.faint, colour.faint);
      return;
    }
    if (belt === 0) {
      hatched(context, left, ground, width - 10, ground, colour.ink, colour.faint, 1);
      if (this.layout.hasBase) label(context, "the ground shakes; positions are measured on it", width / 2, ground + 40, colour.muted);
      return;
    }
    // a belt: two rollers, and marks that travel with it
    const r = 17;
    const [x1, x2] = [left + r + 6, width - r - 16];
    context.strokeStyle = colour.ink;
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(x1 - r, ground, x2 - x1 + 2 * r, 2 * r, r);
    context.stroke();
    const shift = belt * (t - this.motion.from) * scale;
    for (const x of [x1, x2]) {
      context.beginPath();
      context.arc(x, ground + r, r - 5, 0, 2 * Math.PI);
      context.stroke();
      context.beginPath();
      context.moveTo(x, ground + r);
      context.lineTo(x + (r - 6) * Math.cos(shift / r), ground + r + (r - 6) * Math.sin(shift / r));
      context.stroke();
    }
    context.strokeStyle = colour.muted;
    context.beginPath();
    const span = 26;
    for (let x = x1 + (((shift % span) + span) % span); x < x2; x += span) {
      context.moveTo(x, ground);
      context.lineTo(x - 5, ground + 6);
    }
    context.stroke();
    label(context, `belt ${short(belt, 3)} m/s`, (x1 + x2) / 2, ground + 20, colour.muted);
  }

  /** Rigid stops beside the mass that they hold back. */
  #stops(context, colour, centre, size, scale, ground) {
    for (const stop of [Object.values(this.scenario.system)[0].stop ?? []].flat()) {
      const on = centre[stop.dof ?? 0];
      if (!on || (stop.dof === undefined && centre.length > 1)) continue;
      for (const [position, side] of [[stop.upper, 1], [stop.lower, -1]]) {
        if (typeof position !== "number") continue;
        const x = on.home + scale * position + 0.5 * side * size;
        hatched(context, x, ground, x, ground - 1.05 * size, colour.ink, colour.faint, side);
      }
    }
  }

  /** Elastic contacts with the ground: a spring from the mass to a slider, which it drags along. */
  #feet(context, colour, t, place, centre, size, scale, ground) {
    const tables = [Object.values(this.scenario.system)[0].friction ?? []].flat();
    this.motion.contacts.forEach((contact, c) => {
      const on = contact.direction.findIndex((w) => w !== 0);
      if (!ELASTIC.has(contact.law) || contact.direction.filter((w) => w !== 0).length !== 1 || on >= centre.length) return;
      const { x, y } = centre[on];
      // the foot lags behind the mass by what the spring is stretched
      const stretch = (Math.sign(contact.direction[on]) * this.motion.value("friction", place, c)) / stiffness(tables[c][contact.law], contact.load);
      const right = x + 0.5 * size;
      const [width, height] = [0.3 * size, 0.22 * size];
      const foot = Math.max(right + 12, right + 0.5 * size - scale * stretch);
      spring(context, right, foot, ground - 0.5 * height, colour.ink, Math.min(7, 0.08 * size), 5);
      context.fillStyle = this.motion.sticks(c, t) ? colour.stick : colour.slide;
      box(context, foot, ground - height, width, height - 1, 3);
      context.fill();
    });
  }

  #mass(context, colour, i, t, place, { x, y, home }, size) {
    const own = this.motion.contacts.map((contact, c) => [contact, c]).filter(([contact]) => contact.direction[i]);
    const sticks = own.length > 0 && own.every(([, c]) => this.motion.sticks(c, t));
    const height = 0.75 * size;
    // where it is at rest of the spring
    context.setLineDash([4, 4]);
    context.strokeStyle = colour.faint;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(home, y - 0.6 * height);
    context.lineTo(home, y + 0.5 * height);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = sticks ? colour.stick : colour.slide;
    box(context, x - 0.5 * size, y - 0.5 * height, size, height - 1, Math.min(9, 0.12 * size));
    context.fill();
    if (size > 42) label(context, own.length === 0 ? "free" : sticks ? "sticks" : "slides", x, y, colour.on, "center", Math.min(16, 0.17 * size));
  }

  #frictions(context, colour, t, place, centre, size) {
    const longest = Math.max(46, 0.8 * size);
    this.motion.contacts.forEach((contact, c) => {
      const i = contact.direction.findIndex((w) => w > 0);
      const j = contact.direction.findIndex((w) => w < 0);
      const on = i >= 0 ? i : j;
      if (on < 0 || on >= centre.length) return;
      const sign = i >= 0 ? 1 : -1;
      const { x, y } = centre[on];
      // friction on the mass is −H along its direction
      const length = (-sign * longest * this.motion.value("friction", place, c)) / this.force;
      const base = y + 0.375 * size + 13;
      arrow(context, x, base, x + length, base, colour.force, 4);
    });
  }

  #loads(context, colour, t, centre, size) {
    const system = Object.values(this.scenario.system)[0];
    const loads = [system.force ?? []].flat();
    const most = Math.max(...loads.map((load) => Math.abs(load.constant ?? 0) + Math.abs(load.amplitude ?? 0)), 1e-300);
    const sums = new Map();
    for (const load of loads) {
      const on = load.dof ?? (this.layout.n === 1 ? 0 : null);
      if (on === null || on >= centre.length) continue;
      const value = (load.constant ?? 0) + (load.amplitude ?? 0) * Math.sin((load.omega ?? 0) * t + (load.phase ?? 0));
      sums.set(on, (sums.get(on) ?? 0) + value);
    }
    for (const [on, value] of sums) {
      const { x, y } = centre[on];
      const length = (Math.max(40, 0.7 * size) * value) / most;
      const top = y - 0.375 * size - 14;
      arrow(context, x, top, x + length, top, colour.load, 3);
    }
  }

  /** What the hand holds: begins, moves or ends a drag at a point of the canvas. */
  pointer(kind, x, y) {
    if (!this.place) return false;
    const { centre, size, scale } = this.place;
    const found = centre.findIndex((c) => Math.abs(c.x - x) < 0.55 * size && Math.abs(c.y - y) < 0.45 * size);
    if (kind === "over") return found >= 0;
    if (kind === "down") this.#grab = found >= 0 ? { i: found, offset: x - centre[found].x } : null;
    if (kind === "move" && this.#grab && scale > 0) this.onDrag?.(this.#grab.i, Number(((x - this.#grab.offset - centre[this.#grab.i].home) / scale).toPrecision(3)));
    if (kind === "up") this.#grab = null;
    return this.#grab !== null;
  }

  legend(colour) {
    const items = [["slides", colour.slide], ["sticks", colour.stick], ["friction", colour.force]];
    const system = Object.values(this.scenario.system)[0];
    if ([system.force ?? []].flat().length) items.push(["load", colour.load]);
    return items;
  }
}

function level(below, i) {
  return below[i] < 0 ? 0 : 1 + level(below, below[i]);
}

/** Stiffness of an elastic contact (N/m): per newton of load or not, of one spring or of several. */
function stiffness(law, load) {
  const sum = (numbers) => [numbers].flat().reduce((all, one) => all + one, 0);
  return law.contact_stiffness === undefined ? sum(law.stiffness) * load : sum(law.contact_stiffness);
}
