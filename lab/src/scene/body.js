// A body on the plane from above: outline, trail, velocity, friction, and the point about which it turns.

import { colours, short } from "../dom.js";
import { arrow, label, ruler } from "./draw.js";
import { Scale } from "./scale.js";

/** Space around the body (px), at most. */
const FREE = 40;
/** Size of a body that arrows would hide (px). */
const SMALL = 22;

export class BodyScene {
  #grab = null;
  /** Called with the velocity that the hand gives it. */
  onDrag = null;

  #speed = new Scale();
  #friction = new Scale();
  #widths = { from: null, to: null, since: -Infinity };
  drawn = [];

  show(plan, motion, { isNew }) {
    this.scenario = motion.reply.scenario;
    this.motion = motion;
    this.outlines = motion.shown.slide.outlines;
    this.surface = motion.shown.slide.surface;
    this.size = Math.max(1e-9, ...this.outlines.flat().map(([x, y]) => Math.hypot(x, y)));
    if (isNew) {
      this.#speed.forget();
      this.#friction.forget();
    }
    this.#speed.show(Math.max(motion.largest("vx"), motion.largest("vy")));
    this.#friction.show(Math.max(motion.largest("fx"), motion.largest("fy")));
    this.#frame(isNew);
  }

  /** The part of the plane in the picture: fixed when a scenario opens, larger only when the body would leave it. */
  #frame(isNew) {
    const range = (values) => [Math.min(...values), Math.max(...values)];
    const [x1, x2] = range(this.motion.values("x"));
    const [y1, y2] = range(this.motion.values("y"));
    const free = 1.15 * this.size;
    const wanted = { x1: x1 - free, x2: x2 + free, y1: y1 - free, y2: y2 + free };
    const old = this.#widths.to;
    if (isNew || !old) {
      this.#widths = { from: wanted, to: wanted, since: -Infinity };
      return;
    }
    const grown = { x1: Math.min(old.x1, wanted.x1), x2: Math.max(old.x2, wanted.x2), y1: Math.min(old.y1, wanted.y1), y2: Math.max(old.y2, wanted.y2) };
    if (Object.keys(grown).every((key) => grown[key] === old[key])) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#widths = { from: this.bounds, to: grown, since: isStill ? -Infinity : performance.now() };
  }

  get bounds() {
    const { from, to, since } = this.#widths;
    const part = Math.min(1, (performance.now() - since) / 350);
    const eased = part * part * (3 - 2 * part);
    return Object.fromEntries(Object.keys(to).map((key) => [key, from[key] + eased * (to[key] - from[key])]));
  }

  get isMoving() {
    return this.#speed.isMoving || this.#friction.isMoving || performance.now() - this.#widths.since < 350;
  }

  get description() {
    return "a body that slides and spins on a plane, from above";
  }

  draw(context, width, height, t) {
    const colour = colours();
    const { motion } = this;
    const bounds = this.bounds;
    this.drawn = ["body"];
    const free = Math.min(FREE, 0.1 * height);
    const scale = Math.min((width - 2 * free) / (bounds.x2 - bounds.x1), (height - 2 * free) / (bounds.y2 - bounds.y1));
    const px = (x) => width / 2 + scale * (x - (bounds.x1 + bounds.x2) / 2);
    const py = (y) => height / 2 - scale * (y - (bounds.y1 + bounds.y2) / 2);
    const place = motion.locate(t);
    const at = (name) => motion.value(name, place);
    const [x, y, angle] = [at("x"), at("y"), at("angle")];
    const [vx, vy, omega] = [at("vx"), at("vy"), at("omega")];
    const rests = motion.sticks(0, t) || (vx === 0 && vy === 0 && omega === 0);
    this.place = { px, py, scale, x: motion.values("x")[0], y: motion.values("y")[0], now: { x, y } };

    this.#grid(context, colour, width, height, px, py, scale);
    if (this.surface) this.#surface(context, colour, width, height, px, py, scale, t - motion.from);
    this.#trail(context, colour, px, py, place);
    this.#ghost(context, colour, px, py, scale);
    this.#frameOf(context, colour, px(x), py(y), angle, scale);
    this.#outline(context, px(x), py(y), angle, scale, rests ? colour.stick : colour.slide, 0.9);
    this.#pressure(context, px(x), py(y), scale, colour);
    // a mark by which one sees it turn
    context.strokeStyle = colour.on;
    context.lineWidth = 2.5;
    context.beginPath();
    context.moveTo(px(x), py(y));
    context.lineTo(px(x) + 0.8 * scale * this.size * Math.cos(angle), py(y) - 0.8 * scale * this.size * Math.sin(angle));
    context.stroke();

    const longest = Math.max(60, Math.min(0.2 * width, 1.4 * scale * this.size));
    // of a small body the arrows begin at its edge, since they would hide it
    const radius = scale * this.size;
    const from = radius < SMALL ? radius : 0;
    const draw = (u, v, length, style) => {
      const [speed, dx, dy] = [Math.hypot(u, v), px(x), py(y)];
      if (speed > 0) arrow(context, dx + (from * u) / speed, dy - (from * v) / speed, dx + (from / speed + length) * u, dy - (from / speed + length) * v, style, 3, colour.card);
    };
    draw(vx, vy, longest / this.#speed.value, colour.load);
    draw(at("fx"), at("fy"), (0.8 * longest) / this.#friction.value, colour.force);
    if (!rests && Math.abs(omega) > 0) this.#centre(context, colour, px(x - vy / omega), py(y + vx / omega), width, height);
    this.#inner(context, colour, px, py, x, y, angle, t);
    if (this.#grab) this.#aim(context, colour);
    this.#downhill(context, colour, width);
    const clean = (value, unit) => (Math.abs(value) < motion.floor(unit) ? 0 : value);
    label(context, rests ? "rests" : `${short(clean(Math.hypot(vx, vy), "m/s"), 3)} m/s, ${short(clean(omega, "rad/s"), 3)} rad/s`, width - 14, height - 14, colour.muted, "right", 13, colour.card);
    ruler(context, 14, height - 14, scale, "m", colour, 120, colour.card);
  }

  #grid(context, colour, width, height, px, py, scale) {
    const rough = 90 / scale;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find((k) => k * power >= rough) ?? 10);
    context.strokeStyle = colour.grid;
    context.lineWidth = 1;
    context.beginPath();
    const [left, top] = [(0 - px(0)) / scale, (py(0) - 0) / scale];
    for (let k = Math.ceil(left / step); px(k * step) < width; k += 1) {
      context.moveTo(px(k * step), 0);
      context.lineTo(px(k * step), height);
    }
    for (let k = Math.floor(top / step); py(k * step) < height; k -= 1) {
      context.moveTo(0, py(k * step));
      context.lineTo(width, py(k * step));
    }
    context.stroke();
  }

  /** The direction downhill of an inclined plane. */
  #downhill(context, colour, width) {
    const { tilt = 0, tilt_deg: degrees = 0, downhill = 0, downhill_deg: angle = 0 } = this.scenario.system.body;
    const [slope, direction] = [tilt || (degrees * Math.PI) / 180, downhill || (angle * Math.PI) / 180];
    if (!slope) return;
    this.drawn.push("downhill");
    const [c, s] = [Math.cos(direction), Math.sin(direction)];
    const [x, y] = [width - 34, 58];
    arrow(context, x - 16 * c, y + 16 * s, x + 16 * c, y - 16 * s, colour.muted, 2.5, colour.card);
    label(context, `downhill ${short((slope * 180) / Math.PI, 3)}°`, x - 24, y, colour.muted, "right", 12, colour.card);
  }

  /** A surface that moves over the plane: a belt with marks that travel, or a turntable with spokes. */
  #surface(context, colour, width, height, px, py, scale, time) {
    const { velocity = [0, 0], spin = 0, centre = [0, 0] } = this.surface;
    this.drawn.push("surface");
    context.strokeStyle = colour.faint;
    context.lineWidth = 2;
    context.beginPath();
    if (spin) {
      const [cx, cy] = [px(centre[0]), py(centre[1])];
      const r = Math.hypot(width, height);
      for (let k = 0; k < 12; k += 1) {
        const angle = spin * time + (k * Math.PI) / 6;
        context.moveTo(cx, cy);
        context.lineTo(cx + r * Math.cos(angle), cy - r * Math.sin(angle));
      }
    } else {
      const [step, length] = [70, 22];
      const speed = Math.hypot(...velocity) || 1;
      const [ux, uy] = [velocity[0] / speed, -velocity[1] / speed];
      const [dx, dy] = [velocity[0] * time * scale, -velocity[1] * time * scale];
      const wrap = (v) => ((v % step) + step) % step;
      for (let x = wrap(dx) - step; x < width + step; x += step) for (let y = wrap(dy) - step; y < height + step; y += step) {
        context.moveTo(x, y);
        context.lineTo(x + length * ux, y + length * uy);
      }
    }
    context.stroke();
    label(context, spin ? `turntable ${short(spin, 3)} rad/s` : `belt ${short(Math.hypot(...velocity), 3)} m/s`, 14, 18, colour.muted, "left", 12, colour.card);
  }

  /** A mass that moves inside the body. */
  #inner(context, colour, px, py, x, y, angle, t) {
    const inner = this.scenario.system.body.inner_mass;
    if (!inner || !Array.isArray(inner.path)) return;
    this.drawn.push("inner mass");
    let [u, v] = inner.centre ?? [0, 0];
    for (const { amplitude, omega, phase = 0 } of inner.path) {
      u += amplitude[0] * Math.sin(omega * t + phase);
      v += amplitude[1] * Math.sin(omega * t + phase);
    }
    const [c, si] = [Math.cos(angle), Math.sin(angle)];
    context.fillStyle = colour.third;
    context.strokeStyle = colour.card;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(px(x + c * u - si * v), py(y + si * u + c * v), 9, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  #trail(context, colour, px, py, place) {
    const [xs, ys] = [this.motion.values("x"), this.motion.values("y")];
    const stroke = (from, to, style, line) => {
      context.strokeStyle = style;
      context.lineWidth = line;
      context.lineJoin = "round";
      context.beginPath();
      for (let i = from; i <= to; i += 1) context.lineTo(px(xs[i]), py(ys[i]));
      context.stroke();
    };
    context.setLineDash([3, 5]);
    stroke(place.i, xs.length - 1, colour.muted, 1.5);
    context.setLineDash([]);
    stroke(0, place.i, colour.accent, 2.5);
  }

  #ghost(context, colour, px, py, scale) {
    const last = this.motion.t.length - 1;
    const [x, y, angle] = ["x", "y", "angle"].map((name) => this.motion.values(name)[last]);
    this.#frameOf(context, colour, px(x), py(y), angle, scale, 0.25);
    this.#outline(context, px(x), py(y), angle, scale, colour.muted, 0.14);
  }

  #outline(context, x, y, angle, scale, style, alpha) {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    context.beginPath();
    for (const loop of this.outlines) {
      loop.forEach(([a, b], i) => {
        const [u, v] = [x + scale * (c * a - s * b), y - scale * (s * a + c * b)];
        if (i === 0) context.moveTo(u, v);
        else context.lineTo(u, v);
      });
      context.closePath();
    }
    context.globalAlpha = alpha;
    context.fillStyle = style;
    context.fill("evenodd");
    context.globalAlpha = 1;
    context.strokeStyle = style;
    context.lineWidth = 2;
    context.stroke();
  }

  /** What joins the feet of a body that stands on several. */
  #frameOf(context, colour, x, y, angle, scale, alpha = 1) {
    if (!this.scenario.system.body.patch.shape.pieces) return;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const feet = this.outlines.map((loop) => [0, 1].map((k) => loop.reduce((sum, point) => sum + point[k], 0) / loop.length));
    context.globalAlpha = alpha;
    context.strokeStyle = colour.ink;
    context.lineCap = "round";
    context.lineWidth = 5;
    context.beginPath();
    for (const [a, b] of feet) {
      context.moveTo(x, y);
      context.lineTo(x + scale * (c * a - s * b), y - scale * (s * a + c * b));
    }
    context.stroke();
    context.globalAlpha = 0.22 * alpha;
    context.fillStyle = colour.ink;
    context.beginPath();
    context.arc(x, y, scale * Math.max(...feet.map(([a, b]) => Math.hypot(a, b))), 0, 2 * Math.PI);
    context.fill();
    context.globalAlpha = 1;
  }

  /** The pressure under a disc: the darker, the higher. */
  #pressure(context, x, y, scale, colour) {
    const { shape, pressure } = this.scenario.system.body.patch;
    if (!shape.disc || (pressure !== "hertz" && pressure !== "galin")) return;
    const radius = scale * shape.disc.radius;
    const shade = context.createRadialGradient(x, y, 0, x, y, radius);
    for (let i = 0; i <= 10; i += 1) {
      const root = Math.sqrt(Math.max(0.02, 1 - (i / 10) ** 2));
      const part = pressure === "hertz" ? root : Math.min(1, 0.14 / root);
      shade.addColorStop(i / 10, `rgb(0 0 0 / ${Math.round(60 * part)}%)`);
    }
    context.fillStyle = shade;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
    label(context, `pressure: ${pressure}`, 14, 18, colour.muted, "left", 12);
  }

  #centre(context, colour, x, y, width, height) {
    if (x < 0 || y < 0 || x > width || y > height) return;
    context.strokeStyle = colour.ink;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 5, 0, 2 * Math.PI);
    context.moveTo(x - 9, y);
    context.lineTo(x + 9, y);
    context.moveTo(x, y - 9);
    context.lineTo(x, y + 9);
    context.stroke();
  }

  #aim(context, colour) {
    const { px, py, x, y } = this.place;
    context.setLineDash([5, 5]);
    arrow(context, px(x), py(y), this.#grab.x, this.#grab.y, colour.load, 2);
    context.setLineDash([]);
  }

  pointer(kind, x, y) {
    if (!this.place) return false;
    const { px, py, scale, x: x0, y: y0, now } = this.place;
    const isNear = (a, b) => Math.hypot(px(a) - x, py(b) - y) < Math.max(24, scale * this.size);
    if (kind === "over") return isNear(x0, y0) || isNear(now.x, now.y);
    if (kind === "down") this.#grab = isNear(x0, y0) || isNear(now.x, now.y) ? { x, y, unit: this.#unit() } : null;
    if (kind === "move" && this.#grab) {
      Object.assign(this.#grab, { x, y });
      const velocity = [x - px(x0), py(y0) - y].map((v) => Number((v * this.#grab.unit).toPrecision(3)));
      this.onDrag?.(velocity);
    }
    if (kind === "up") this.#grab = null;
    return this.#grab !== null;
  }

  /** Velocity for a pixel of the hand (m/s). */
  #unit() {
    const { velocity } = this.scenario.system.body;
    const size = Math.hypot(...velocity) || 1;
    return (1.5 * size) / 200;
  }

  legend(colour) {
    // an entry without a colour is the mark of the centre of rotation
    return [["slides", colour.slide], ["rests", colour.stick], ["velocity", colour.load], ["friction", colour.force], ["centre of rotation", null]];
  }
}
