// A body on the plane from above: outline, trail, velocity, friction, and the point about which it turns.

import { colours, short } from "../dom.js";
import { arrow, label } from "./draw.js";

const FREE = 40;

export class BodyScene {
  #grab = null;
  /** Called with the velocity that the hand gives it. */
  onDrag = null;

  show(scenario, motion) {
    this.scenario = scenario;
    this.motion = motion;
    this.outlines = motion.shown.slide.outlines;
    this.size = Math.max(1e-9, ...this.outlines.flat().map(([x, y]) => Math.hypot(x, y)));
    const range = (values) => [Math.min(...values), Math.max(...values)];
    const [x1, x2] = range(motion.values("x"));
    const [y1, y2] = range(motion.values("y"));
    const bounds = { x1: x1 - 1.15 * this.size, x2: x2 + 1.15 * this.size, y1: y1 - 1.15 * this.size, y2: y2 + 1.15 * this.size };
    // under the hand the picture stands still
    if (!this.#grab) this.bounds = bounds;
    this.speed = Math.max(motion.largest("vx"), motion.largest("vy"), 1e-12);
    this.friction = Math.max(motion.largest("fx"), motion.largest("fy"), 1e-300);
  }

  get description() {
    return "a body that slides and spins on a plane, from above";
  }

  draw(context, width, height, t) {
    const colour = colours();
    const { motion, bounds } = this;
    const scale = Math.min((width - 2 * FREE) / (bounds.x2 - bounds.x1), (height - 2 * FREE) / (bounds.y2 - bounds.y1));
    const px = (x) => width / 2 + scale * (x - (bounds.x1 + bounds.x2) / 2);
    const py = (y) => height / 2 - scale * (y - (bounds.y1 + bounds.y2) / 2);
    const place = motion.locate(t);
    const at = (name) => motion.value(name, place);
    const [x, y, angle] = [at("x"), at("y"), at("angle")];
    const [vx, vy, omega] = [at("vx"), at("vy"), at("omega")];
    const rests = motion.sticks(0, t) || (vx === 0 && vy === 0 && omega === 0);
    this.place = { px, py, scale, x: motion.values("x")[0], y: motion.values("y")[0], now: { x, y } };

    this.#grid(context, colour, width, height, px, py, scale);
    this.#trail(context, colour, px, py, place);
    this.#ghost(context, colour, px, py, scale);
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
    arrow(context, px(x), py(y), px(x) + (longest * vx) / this.speed, py(y) - (longest * vy) / this.speed, colour.load, 3);
    const [fx, fy] = [at("fx"), at("fy")];
    arrow(context, px(x), py(y), px(x) + (0.8 * longest * fx) / this.friction, py(y) - (0.8 * longest * fy) / this.friction, colour.force, 3);
    if (!rests && Math.abs(omega) > 0) this.#centre(context, colour, px(x - vy / omega), py(y + vx / omega), width, height);
    if (this.#grab) this.#aim(context, colour);
    label(context, rests ? "rests" : `${short(Math.hypot(vx, vy), 3)} m/s, ${short(omega, 3)} rad/s`, 14, height - 16, colour.muted, "left");
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
    label(context, `grid ${short(step, 3)} m`, width - 14, height - 16, colour.muted, "right");
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
    label(context, "centre of rotation", x + 13, y - 16, colour.text, "left", 12, colour.card);
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
    return [["slides", colour.slide], ["rests", colour.stick], ["velocity", colour.load], ["friction", colour.force]];
  }
}
