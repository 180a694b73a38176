// A pad on a moving disc: one degree of freedom along the surface, one normal to it, coupled by friction.

import { colours, short, type } from "../dom.js";
import { arrow, block, dashpot, hatched, label, ruler, spring } from "./draw.js";
import { Scale } from "./scale.js";

export class PadScene {
  #reach = new Scale();
  #force = new Scale();
  drawn = [];

  show(plan, motion, { isNew, isSketch }) {
    Object.assign(this, { plan, motion, isSketch });
    if (isNew) {
      this.#reach.forget();
      this.#force.forget();
    }
    this.#reach.show(motion.largest("position"));
    this.#force.show(motion.largest("friction"));
  }

  get isMoving() {
    return this.#reach.isMoving || this.#force.isMoving;
  }

  get description() {
    return "a brake pad on a moving disc, free to move along it and normal to it";
  }

  draw(context, width, height, t) {
    const colour = colours();
    const { plan, motion } = this;
    this.drawn = [];
    const place = motion.locate(t);
    const { along, normal, slope } = plan.pad;
    const contact = plan.contacts[0];
    const size = Math.min(0.4 * height, 0.2 * width, 130);
    const ground = height - 52;
    const scale = (0.24 * height) / this.#reach.value;
    const [x0, q] = [0.44 * width, motion.value("position", place, normal)];
    const x = x0 + scale * motion.value("position", place, along);
    // a positive normal coordinate presses the pad against the disc; it lifts where the normal load ends
    const lift = Math.max(0, -(q + contact.load / slope) * Math.sign(slope));
    const bottom = ground - scale * lift;
    const squeeze = Math.max(-0.12 * size, Math.min(0.2 * size, lift > 0 ? 0 : scale * q * 0.5 * Math.sign(slope)));
    const top = bottom - 0.6 * size + squeeze;
    this.place = { x, y: bottom, scale };
    this.#disc(context, colour, width, ground, t, contact.belt, scale);
    if (plan.hasBelt) this.drawn.push("belt");
    this.#ties(context, colour, x, top, bottom, size, width);
    const fill = this.isSketch ? colour.ink : lift > 0 ? colour.muted : motion.sticks(contact.c, t) ? colour.stick : colour.slide;
    block(context, x - 0.75 * size, top, 1.5 * size, bottom - top - 1, 7, fill);
    this.drawn.push(`mass ${along}`, `mass ${normal}`, `contact ${contact.c}`);
    const apart = Math.min(8, 0.11 * size) * type();
    label(context, this.isSketch ? "pad" : lift > 0 ? "lifted off" : motion.sticks(contact.c, t) ? "sticks" : "slides", x, (top + bottom) / 2 - apart, colour.on, "center", Math.min(15, 0.2 * size));
    const masses = plan.masses[0] === plan.masses[1] ? `${short(plan.masses[0], 3)} kg` : `${short(plan.masses[along], 3)} kg along, ${short(plan.masses[normal], 3)} kg normal`;
    label(context, masses, x, (top + bottom) / 2 + 1.2 * apart, colour.on, "center", Math.min(12, 0.16 * size));
    if (!this.isSketch) {
      const force = -motion.value("friction", place, contact.c) * Math.sign(contact.sign[along]);
      const length = (1.1 * size * force) / this.#force.value;
      const start = x + Math.sign(length) * 0.75 * size;
      arrow(context, start, bottom - 9, start + length, bottom - 9, colour.force, 4, colour.card);
      ruler(context, 14, height - 14, scale, "m", colour);
    }
    for (const i of plan.loads) this.drawn.push(`load ${i}`);
  }

  #disc(context, colour, width, ground, t, belt, scale) {
    context.fillStyle = colour.grid;
    context.fillRect(20, ground, width - 40, 16);
    hatched(context, 20, ground, width - 20, ground, colour.ink, colour.faint, 1, belt * (t - this.motion.from) * Math.min(scale, 60));
    const middle = width - 44;
    arrow(context, middle - 20 * Math.sign(belt), ground + 28, middle + 20 * Math.sign(belt), ground + 28, colour.muted, 2);
    label(context, `disc ${short(Math.abs(belt), 3)} m/s`, middle - 30, ground + 28, colour.muted, "right", 12);
  }

  /** Springs and dampers: along the disc to a wall, normal to it to a ceiling, and obliquely where the matrix couples both. */
  #ties(context, colour, x, top, bottom, size, width) {
    const { along, normal } = this.plan.pad;
    const wall = 0.44 * width - 2.2 * size;
    const ceiling = 16;
    hatched(context, wall, bottom - 0.9 * size, wall, bottom, colour.ink, colour.faint, 1);
    hatched(context, x - 0.9 * size, ceiling, x + 1.6 * size, ceiling, colour.ink, colour.faint, -1);
    const middle = (top + bottom) / 2;
    const draw = (kind, make, at) => {
      for (const [a, b] of this.plan[kind]) {
        const name = `${kind === "springs" ? "spring" : "damper"} ${a} ${b}`;
        this.drawn.push(name);
        if (a < 0 && b === along) make(wall, middle + 12 * at, x - 0.75 * size, middle + 12 * at);
        else if (a < 0 && b === normal) make(x + 0.3 * size * at, ceiling, x + 0.3 * size * at, top);
        else make(x + 1.5 * size, ceiling, x + 0.6 * size, top);
      }
    };
    draw("springs", (x1, y1, x2, y2) => spring(context, x1, x2, y1, colour.ink, 6, 6, y2), -1);
    draw("dampers", (x1, y1, x2, y2) => dashpot(context, x1, x2, y1, colour.ink, y2), 1);
  }

  pointer() {
    return false;
  }

  legend(colour) {
    return this.isSketch ? [["sketch of the system", colour.ink]] : [["slides", colour.slide], ["sticks", colour.stick], ["friction", colour.force]];
  }
}
