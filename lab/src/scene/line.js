// Masses on lines: springs, dashpots, stops, ground or belts, controllers; friction as arrows, stick by colour.

import { colours, short, type } from "../dom.js";
import { arrow, block, box, dashpot, hatched, label, ruler, slanted, spring } from "./draw.js";
import { signalAt } from "./plan.js";
import { Scale } from "./scale.js";

const WALL = 34;
/** Room for a dashpot that passes over a stop (px). */
const PASSING = 11;
/** Laws of springs with sliders, which are drawn as one. */
const ELASTIC = new Set(["jenkins", "iwan", "four-parameter-iwan"]);

export class LineScene {
  #grab = null;
  /** Way of a belt whose velocity varies, by time. */
  #way = null;
  #reach = new Scale();
  #force = new Scale();
  /** Names of the elements in the last picture. */
  drawn = [];
  /** Masses that are drawn on rollers. */
  rolling = [];
  /** Called with the position of mass i that the hand gives it. */
  onDrag = null;

  show(plan, motion, { isNew, isSketch }) {
    Object.assign(this, { plan, motion, isSketch });
    if (isNew) {
      this.#reach.forget();
      this.#force.forget();
    }
    const stops = plan.stops.flatMap(({ lower, upper, on }) => (on.length === 1 ? [lower, upper] : [])).filter(Number.isFinite).map(Math.abs);
    const targets = plan.controllers.flatMap(({ reference }) => [0, 0.25, 0.5, 0.75, 1].map((part) => signalAt(reference, motion.from + part * (motion.to - motion.from)))).filter(Number.isFinite).map(Math.abs);
    this.#reach.show(Math.max(motion.largest("position"), ...stops, ...targets));
    this.#force.show(Math.max(motion.largest("friction"), ...plan.loads.map((i) => largest(motion.history(`force_load_${i}`)))));
  }

  get isMoving() {
    return this.#reach.isMoving || this.#force.isMoving;
  }

  get description() {
    const { n } = this.plan;
    return `${n === 1 ? "a mass" : `${n} masses`} with friction, moving along a line${this.isSketch ? ", at rest" : ""}`;
  }

  draw(context, width, height, t) {
    const colour = colours();
    const { motion, plan } = this;
    this.drawn = [];
    this.rolling = plan.masses.flatMap((_, i) => (this.#rolls(i) && !plan.prescribed.has(i) ? [i] : []));
    const place = motion.locate(t);
    const levels = plan.below.map((_, i) => level(plan.below, i));
    const top = Math.max(0, ...levels);
    const columns = levels.filter((one) => one === 0).length;
    const slot = (width - WALL - 30) / Math.max(1, columns);
    const size = Math.min(0.34 * slot, (0.46 * height) / (1 + 0.6 * top), 120 * Math.sqrt(type()));
    const ground = Math.min(height - (plan.hasBelt ? 62 : 46), 0.5 * height + 0.5 * size * (1 + 0.75 * top) + 8);
    const scale = Math.max(0, (0.3 * (slot - size)) / this.#reach.value);
    const centre = this.#centres(slot, levels, size, ground, scale, place);
    this.place = { centre, size, scale, ground, ties: [], stops: [] };
    // a mass at the end of its way with its longest arrow is still in the picture
    this.longest = Math.min(1.1 * size, 0.2 * (slot - size) + 12);
    this.#surface(context, colour, width, ground, t, scale);
    this.#ties(context, colour, centre, size, ground);
    this.#stops(context, colour, centre, size, scale, ground);
    this.#targets(context, colour, centre, size, scale, ground, t, width);
    for (let i = 0; i < plan.n; i += 1) this.#mass(context, colour, i, t, centre[i], size);
    this.#contacts(context, colour, t, place, centre, size, scale, ground);
    this.#loads(context, colour, t, place, centre, size);
    if (!this.isSketch) ruler(context, 14, height - 14, scale, plan.units.position, colour);
  }

  #centres(slot, levels, size, ground, scale, place) {
    const { plan, motion } = this;
    const homes = [];
    let next = 0;
    const homeOf = (i) => (homes[i] ??= plan.below[i] >= 0 ? homeOf(plan.below[i]) : WALL + slot * (0.5 + next++) + 8);
    return plan.masses.map((_, i) => {
      const home = homeOf(i);
      return { home, x: home + scale * motion.value("position", place, i), y: ground - size * (0.75 * levels[i] + 0.375), level: levels[i] };
    });
  }

  #ties(context, colour, centre, size, ground) {
    const { plan } = this;
    const hasWall = [...plan.springs, ...plan.dampers].some(([a]) => a < 0) || plan.curved.some(({ on }) => on.length === 1);
    if (hasWall) hatched(context, WALL, ground - Math.max(1.5 * size, 80), WALL, ground, colour.ink, colour.faint, 1);
    const offset = (kind, a, b) => {
      const kinds = [plan.springs.some(([c, d]) => c === a && d === b), plan.curved.some(({ on }) => on.length === 1 ? a < 0 && on[0] === b : on.includes(a) && on.includes(b)), plan.dampers.some(([c, d]) => c === a && d === b)];
      const own = ["spring", "curved", "damper"].indexOf(kind);
      const rank = kinds.slice(0, own).filter(Boolean).length;
      const count = kinds.filter(Boolean).length;
      // of several the lowest leaves room for the arrow of friction
      return size * (0.3 * (rank - 0.5 * (count - 1)) - (count > 1 ? 0.08 : 0));
    };
    const height = Math.min(8, 0.1 * size);
    for (const [a, b] of plan.springs) {
      this.#tie(context, colour, centre, a, b, size, offset("spring", a, b), (x1, x2, y) => spring(context, x1, x2, y, colour.ink, height));
      this.drawn.push(`spring ${a} ${b}`);
    }
    plan.curved.forEach(({ on }, k) => {
      const [a, b] = on.length === 1 ? [-1, on[0]] : on;
      this.#tie(context, colour, centre, a, b, size, offset("curved", a, b), (x1, x2, y) => {
        spring(context, x1, x2, y, colour.ink, height);
        // beside the middle, where a dashpot below it has its cylinder
        slanted(context, x1 + 0.3 * (x2 - x1), y, 1.8 * height, colour.ink);
      });
      this.drawn.push(`nonlinear spring ${k}`);
    });
    for (const [a, b] of plan.dampers) {
      this.#tie(context, colour, centre, a, b, size, offset("damper", a, b), (x1, x2, y) => dashpot(context, x1, x2, y, colour.ink));
      this.drawn.push(`damper ${a} ${b}`);
    }
  }

  #tie(context, colour, centre, a, b, size, offset, draw) {
    const { below } = this.plan;
    if (a >= 0 && (below[b] === a || below[a] === b)) {
      // one stands on the other: the tie goes from a post on the lower block to the upper one
      const [lower, upper] = below[b] === a ? [a, b] : [b, a];
      const post = centre[lower].x - 0.46 * this.#across(lower, centre[lower].level, size);
      context.fillStyle = colour.ink;
      context.fillRect(post - 2, centre[upper].y - 0.32 * size, 4, 0.7 * size);
      draw(post, centre[upper].x - 0.36 * size, centre[upper].y + offset);
      return;
    }
    if (a < 0 && centre.some(({ home }) => home < centre[b].home)) {
      // a tie to the ground behind another mass has a wall of its own, beyond the last mass where nothing else is
      const { contacts, stops } = this.plan;
      const isFree = centre.every(({ home }) => home <= centre[b].home) && !stops.some(({ on }) => on.includes(b)) && !contacts.some(({ law, on }) => ELASTIC.has(law) && on.includes(b));
      const side = isFree ? 1 : -1;
      const [edge, y] = [centre[b].x + 0.5 * side * size, centre[b].y + offset];
      const wall = centre[b].home + 1.35 * side * size;
      hatched(context, wall, y - 0.14 * size, wall, y + 0.14 * size, colour.ink, colour.faint, -side);
      this.place.ties.push([Math.min(wall, edge), Math.max(wall, edge), y]);
      draw(Math.min(wall, edge), Math.max(wall, edge), y);
      return;
    }
    const [left, right] = a >= 0 && centre[a].home > centre[b].home ? [centre[b], centre[a]] : [a < 0 ? null : centre[a], centre[b]];
    const isFar = a >= 0 && Math.abs(left.home - right.home) > 1.6 * Math.abs(this.place.centre[0].home - (this.place.centre[1]?.home ?? 0));
    const half = (one) => 0.5 * this.#across(centre.indexOf(one), one.level, size);
    const span = [left ? left.x + half(left) : WALL, right.x - half(right), right.y + offset - (isFar ? 0.3 * size : 0)];
    this.place.ties.push(span);
    draw(...span);
  }

  #surface(context, colour, width, ground, t, scale) {
    const { plan, motion } = this;
    const varying = plan.contacts.find(({ table }) => table?.belt_varies);
    const belt = varying ? this.#beltVelocity(varying, t) : (plan.contacts.map((contact) => contact.belt).find((v) => v) ?? 0);
    if (!plan.hasBelt) {
      hatched(context, WALL, ground, width - 10, ground, colour.ink, colour.faint, 1);
      if (plan.hasBase) {
        this.drawn.push("base");
        const middle = width - 96;
        arrow(context, middle, ground + 20, middle + 30, ground + 20, colour.load, 2);
        arrow(context, middle, ground + 20, middle - 30, ground + 20, colour.load, 2);
        label(context, "the ground shakes", middle, ground + 36, colour.muted, "center", 12);
      }
      return;
    }
    // a belt: two rollers, and marks that travel with it
    this.drawn.push("belt");
    const r = 15;
    const [x1, x2] = [WALL + r + 6, width - r - 16];
    context.strokeStyle = colour.ink;
    context.lineWidth = 2;
    context.beginPath();
    context.roundRect(x1 - r, ground, x2 - x1 + 2 * r, 2 * r, r);
    context.stroke();
    const shift = (varying ? this.#beltWay(varying, t) : belt * (t - motion.from)) * scale;
    for (const x of [x1, x2]) {
      context.beginPath();
      context.arc(x, ground + r, r - 5, 0, 2 * Math.PI);
      context.moveTo(x, ground + r);
      context.lineTo(x + (r - 6) * Math.cos(shift / r), ground + r + (r - 6) * Math.sin(shift / r));
      context.stroke();
    }
    context.strokeStyle = colour.muted;
    context.beginPath();
    const span = 26;
    for (let x = x1 + (((shift % span) + span) % span); x < x2; x += span) {
      context.moveTo(x, ground);
      context.lineTo(x - 5 * (Math.sign(belt) || 1), ground + 6);
    }
    context.stroke();
    // large letters do not fit between the belt's lines
    label(context, `belt ${short(belt, 3)} m/s`, (x1 + x2) / 2, type() > 1.5 ? ground + 2 * r + 9 * type() : ground + 18, colour.muted, "center", 12);
    if (plan.hasBase) this.drawn.push("base");
  }

  /** Velocity of a belt whose velocity varies (m/s): that of its mass less the sliding velocity. */
  #beltVelocity({ c, on, sign }, t) {
    const { motion } = this;
    if (this.isSketch || !motion.column("sliding", c)) return 0;
    const place = motion.locate(t);
    const velocity = on.reduce((sum, i) => sum + sign[i] * motion.value("velocity", place, i), 0) - motion.value("sliding", place, c);
    return Math.abs(velocity) < motion.floor("m/s") ? 0 : velocity;
  }

  /** How far such a belt has moved since the first sample (m). */
  #beltWay({ c, on, sign }, t) {
    const { motion } = this;
    if (this.isSketch || !motion.column("sliding", c)) return 0;
    if (this.#way?.motion !== motion) {
      const [times, sliding] = [motion.t, motion.values("sliding", c)];
      const slid = new Float64Array(times.length);
      for (let k = 1; k < slid.length; k += 1) slid[k] = slid[k - 1] + 0.5 * (times[k] - times[k - 1]) * (sliding[k] + sliding[k - 1]);
      this.#way = { motion, slid };
    }
    const { i, j, part } = motion.locate(t);
    const { slid } = this.#way;
    const moved = on.reduce((sum, k) => sum + sign[k] * (motion.value("position", { i, j, part }, k) - motion.values("position", k)[0]), 0);
    return moved - slid[i] - part * (slid[j] - slid[i]);
  }

  /** Stops beside the mass that they hold back, or flanks between two masses. */
  #stops(context, colour, centre, size, scale, ground) {
    this.plan.stops.forEach((stop, k) => {
      this.drawn.push(`stop ${k}`);
      const on = stop.on.map((i) => centre[i]);
      const sides = [[stop.upper, 1], [stop.lower, -1]].filter(([position]) => Number.isFinite(position));
      if (on.length === 1) {
        for (const [position, side] of sides) {
          const x = on[0].home + scale * position + 0.5 * side * size;
          const isElastic = Number.isFinite(stop.stiffness);
          const wall = x + (isElastic ? 26 * side : 0);
          // where a spring or dashpot passes, the stop stands below it
          const passing = this.place.ties.filter(([x1, x2]) => Math.min(x, wall) > x1 && Math.max(x, wall) < x2).map(([, , y]) => y);
          const height = passing.length ? Math.max(5, ground - Math.max(...passing) - PASSING) : 0.95 * size;
          if (isElastic) spring(context, wall, x + 4 * side, passing.length ? ground - 0.6 * height : on[0].y, colour.ink, passing.length ? Math.min(5, 0.3 * height) : 5, 3);
          hatched(context, wall, ground, wall, ground - height, colour.ink, colour.faint, side);
          this.place.stops.push([wall, ground - height]);
        }
        return;
      }
      // a fork on the second mass around a pin on the first; w·q = q₀ − q₁
      const [pin, fork] = on;
      const sign = Math.sign(list(stop.direction).find((w) => w) ?? 1);
      const height = pin.y - 0.85 * size;
      const zero = fork.x - fork.home + pin.home;
      context.fillStyle = colour.ink;
      context.fillRect(pin.x - 3, height - 4, 6, pin.y - 0.375 * size - height + 4);
      for (const [position, side] of sides) {
        const x = zero + sign * scale * position + sign * side * 4;
        hatched(context, x, height + 12, x, height - 14, colour.ink, colour.faint, -side * sign);
      }
      const ends = sides.map(([position, side]) => zero + sign * scale * position + sign * side * 4);
      context.strokeStyle = colour.ink;
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(Math.min(...ends), height - 14);
      context.lineTo(fork.x, height - 14);
      context.lineTo(fork.x, fork.y - 0.375 * size);
      context.stroke();
    });
  }

  /** Controllers: a box above the mass, and the target as a line. */
  #targets(context, colour, centre, size, scale, ground, t, width) {
    this.plan.controllers.forEach((controller, k) => {
      this.drawn.push(`controller ${k}`);
      const on = centre[controller.on[0]];
      const target = controller.name === "PID" ? signalAt(controller.reference, t) : undefined;
      const top = on.y - 0.95 * size;
      const x = target > 0 ? Math.max(76, on.home - 1.9 * size) : Math.min(width - 60, on.home + 1.9 * size);
      context.setLineDash([4, 4]);
      context.strokeStyle = colour.load;
      context.lineWidth = 1.5;
      context.beginPath();
      // beside the middle of the mass, where the target may stand
      const foot = on.x + 0.32 * size * Math.sign(x - on.home);
      context.moveTo(x, top);
      context.lineTo(foot, top);
      context.lineTo(foot, on.y - 0.375 * size);
      context.stroke();
      context.setLineDash([]);
      context.fillStyle = colour.card;
      box(context, x - 36, top - 15, 72, 30, 6);
      context.fill();
      context.stroke();
      label(context, controller.name, x, top, colour.text, "center", 12);
      if (target === undefined) return;
      const at = on.home + scale * target;
      context.strokeStyle = colour.third;
      context.setLineDash([7, 4]);
      context.lineWidth = 2;
      context.beginPath();
      context.moveTo(at, ground);
      context.lineTo(at, on.y - 0.72 * size);
      context.stroke();
      context.setLineDash([]);
      // words on the side on which the line of the controller is not
      const isNear = Math.abs(foot - at) < 34 * type();
      const align = !isNear ? "center" : foot > at ? "right" : "left";
      label(context, "target", isNear ? at + 4 * Math.sign(foot - at) : at, on.y - 0.82 * size, colour.third, align, 12, colour.card);
    });
  }

  /** Width of a mass: one that carries another is long, and longer with room for a tie to that. */
  #across(i, level, size) {
    const { below, springs, dampers } = this.plan;
    if (!below.includes(i)) return level > 0 ? 0.72 * size : size;
    const isTied = [...springs, ...dampers].some(([a, b]) => below[a] === b || below[b] === a);
    return (isTied ? 2.6 : 1.7) * size;
  }

  /** Whether a mass moves over the ground without rubbing on it. */
  #rolls(i) {
    return this.plan.below[i] < 0 && !this.plan.contacts.some(({ on }) => on.includes(i) && !(on.length === 2 && this.plan.below[on.find((other) => other !== i)] === i));
  }

  /** The colour of a mass: orange if all its contacts stick. */
  #colourOf(i, t, colour) {
    const own = this.plan.contacts.filter(({ on }) => on.includes(i));
    if (this.isSketch || own.length === 0) return [colour.ink, this.isSketch ? "" : "free"];
    return own.every(({ c }) => this.motion.sticks(c, t)) ? [colour.stick, "sticks"] : [colour.slide, "slides"];
  }

  #mass(context, colour, i, t, { x, y, home, level: own }, size) {
    const { plan } = this;
    const height = 0.75 * size;
    // the place at which the spring is without force
    context.setLineDash([4, 4]);
    context.strokeStyle = colour.faint;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(home, y - 0.6 * height);
    context.lineTo(home, y + 0.5 * height);
    context.stroke();
    context.setLineDash([]);
    const across = this.#across(i, own, size);
    if (plan.prescribed.has(i)) {
      this.drawn.push(`prescribed ${i}`);
      context.fillStyle = colour.card;
      context.strokeStyle = colour.load;
      context.lineWidth = 2.5;
      box(context, x - 0.5 * across, y - 0.5 * height, across, height - 1, 6);
      context.fill();
      context.stroke();
      label(context, "prescribed", x, y, colour.text, "center", Math.min(13, (0.165 * across) / type()));
      return;
    }
    this.drawn.push(`mass ${i}`);
    const [fill, word] = this.#colourOf(i, t, colour);
    const roller = this.rolling.includes(i) ? Math.min(7, 0.08 * size) : 0;
    block(context, x - 0.5 * across, y - 0.5 * height, across, height - 1 - 2 * roller, Math.min(9, 0.12 * size), fill);
    if (roller) rollers(context, x, y + 0.5 * height - 1 - roller, 0.3 * across, roller, colour.ink);
    const name = plan.n > 1 ? `${i}: ` : "";
    const middle = y - roller;
    if (size > 54) {
      const apart = Math.max(0.1 * size, 8 * type());
      if (word) label(context, word, x, middle - apart, colour.on, "center", Math.min(16, 0.17 * size));
      label(context, `${name}${short(plan.masses[i], 3)} ${plan.units.mass}`, x, middle + (word ? apart + 2 : 0), colour.on, "center", Math.min(13, 0.14 * size));
    } else if (plan.n > 1 && size > 16) label(context, String(i), x, middle, colour.on, "center", 11);
  }

  /** Each contact: its surface in the colour of its state, an elastic slider, and the force of friction on the mass. */
  #contacts(context, colour, t, place, centre, size, scale, ground) {
    const perMass = new Map();
    for (const contact of this.plan.contacts) {
      const { c, on, sign } = contact;
      this.drawn.push(`contact ${c}`);
      const upper = on.length === 2 && this.plan.below[on[0]] === on[1] ? on[0] : on.length === 2 && this.plan.below[on[1]] === on[0] ? on[1] : on[0];
      const { x, y, level: own } = centre[upper];
      const across = this.#across(upper, own, size);
      const fill = this.isSketch ? colour.muted : this.motion.sticks(c, t) ? colour.stick : colour.slide;
      const rank = perMass.get(upper) ?? 0;
      perMass.set(upper, rank + 1);
      if (ELASTIC.has(contact.law) && on.length === 1) this.#slider(context, colour, fill, contact, place, x, size, scale, ground);
      else {
        context.fillStyle = fill;
        context.fillRect(x - 0.5 * across + 4, y + 0.375 * size - 3 - 4 * rank, across - 8, 3);
      }
      if (this.isSketch) continue;
      // friction on the mass is −w H
      const length = (-sign[upper] * this.longest * this.motion.value("friction", place, c)) / this.#force.value;
      // above an elastic slider, whose spring it would hide
      const base = y + 0.375 * size - (ELASTIC.has(contact.law) && on.length === 1 ? 0.3 * size : 9) - 9 * rank;
      const start = x + Math.sign(length) * 0.5 * across;
      arrow(context, start, base, start + length, base, colour.force, 4, colour.card);
    }
  }

  /** An elastic contact with the ground: a spring from the mass to a slider, which it drags along. */
  #slider(context, colour, fill, { c, on, law, load, table, sign }, place, x, size, scale, ground) {
    const spread = stiffness(table?.[law] ?? {}, load);
    const stretch = spread > 0 ? (sign[on[0]] * this.motion.value("friction", place, c)) / spread : 0;
    const right = x + 0.5 * size;
    const [width, height] = [0.3 * size, 0.22 * size];
    const foot = Math.max(right + 12, right + 0.5 * size - scale * stretch);
    spring(context, right, foot, ground - 0.5 * height, colour.ink, Math.min(7, 0.08 * size), 5);
    block(context, foot, ground - height, width, height - 1, 3, fill, true);
  }

  #loads(context, colour, t, place, centre, size) {
    const { plan, motion } = this;
    for (const i of plan.loads) {
      this.drawn.push(`load ${i}`);
      const { x, y } = centre[i];
      const top = y - 0.375 * size - 14;
      const known = motion.history(`force_load_${i}`);
      const value = known ? motion.past(`force_load_${i}`, place) : (signalSum(plan, i, t) ?? 0);
      const length = this.isSketch ? 0.45 * size : (this.longest * value) / this.#force.value;
      // a pin stands on the mass: the arrow begins beside it
      const start = x + (plan.stops.some(({ on }) => on.length === 2 && on[0] === i) ? 8 * Math.sign(length) : 0);
      arrow(context, start, top, start + length, top, colour.load, 3, colour.card);
    }
  }

  /** What the hand holds: begins, moves or ends a drag at a point of the canvas. */
  pointer(kind, x, y) {
    if (!this.place || this.isSketch) return false;
    const { centre, size, scale } = this.place;
    const found = centre.findIndex((c) => Math.abs(c.x - x) < 0.55 * size && Math.abs(c.y - y) < 0.45 * size);
    if (kind === "over") return found >= 0;
    if (kind === "down") this.#grab = found >= 0 ? { i: found, offset: x - centre[found].x } : null;
    if (kind === "move" && this.#grab && scale > 0) this.onDrag?.(this.#grab.i, Number(((x - this.#grab.offset - centre[this.#grab.i].home) / scale).toPrecision(3)));
    if (kind === "up") this.#grab = null;
    return this.#grab !== null;
  }

  legend(colour) {
    if (this.isSketch) return [["sketch of the system", colour.ink]];
    const items = [["slides", colour.slide], ["sticks", colour.stick], ["friction", colour.force]];
    if (this.plan.loads.length) items.push(["load", colour.load]);
    return items;
  }
}

/** Two wheels without friction, below a mass. */
function rollers(context, x, y, apart, radius, colour) {
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.arc(x + side * apart, y, radius - 0.75, 0, 2 * Math.PI);
    context.stroke();
  }
}

const list = (value) => [value ?? []].flat();

export function largest(values) {
  let most = 0;
  for (const v of values ?? []) if (Math.abs(v) > most) most = Math.abs(v);
  return most;
}

/** The load on a degree of freedom, where the core gives no history. */
function signalSum({ system, n }, i, t) {
  return list(system.force).reduce((sum, load) => {
    const w = Array.isArray(load.direction) ? load.direction[i] : (load.dof ?? (n === 1 ? 0 : -1)) === i ? 1 : 0;
    return sum + (w ? w * (signalAt(load, t) ?? 0) : 0);
  }, 0);
}

function level(below, i) {
  return below[i] < 0 ? 0 : 1 + level(below, below[i]);
}

/** Stiffness of an elastic contact (N/m): per newton of load or not, of one spring or of several. */
function stiffness(law, load) {
  const sum = (numbers) => list(numbers).reduce((all, one) => all + one, 0);
  return law.contact_stiffness === undefined ? sum(law.stiffness) * load : sum(law.contact_stiffness);
}
