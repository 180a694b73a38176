// The limit surface: the wrenches that the patch holds at rest. It turns under the mouse; the friction of now is a dot in it.

import { colours, el, sized } from "../dom.js";
import { arrow, label } from "./draw.js";

const ROWS = 25;
const COLUMNS = 40;

export class LimitScene {
  #canvas = el("canvas", { "aria-hidden": "true" });
  #turn = { about: 0.7, tilt: 0.45 };
  #reply = null;
  #wrench = null;

  constructor(engine) {
    this.engine = engine;
    this.area = el("div", { class: "area", role: "img", tabindex: "0", "aria-label": "limit surface: force and moment that the patch holds at rest; arrow keys turn it" }, this.#canvas);
    this.element = el("figure", { class: "plot card" }, el("figcaption", {}, el("h3", {}, "Limit surface")), this.area,
      el("p", { class: "caption" }, "Drag to turn. Inside, the body rests; while it slides, friction (the dot) is on the surface."));
    new ResizeObserver(() => this.draw()).observe(this.area);
    let last = null;
    this.#canvas.addEventListener("pointerdown", (event) => {
      last = [event.clientX, event.clientY];
      this.#canvas.setPointerCapture(event.pointerId);
    });
    this.#canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      this.#rotate(0.01 * (event.clientX - last[0]), 0.01 * (event.clientY - last[1]));
      last = [event.clientX, event.clientY];
    });
    this.#canvas.addEventListener("pointerup", () => { last = null; });
    this.area.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[event.key];
      if (!step) return;
      event.preventDefault();
      this.#rotate(...step);
    });
  }

  #rotate(about, tilt) {
    this.#turn.about += about;
    this.#turn.tilt = Math.min(1.5, Math.max(-1.5, this.#turn.tilt + tilt));
    this.draw();
  }

  async update(text) {
    const reply = await this.engine.ask({ ask: "limit", text, rows: ROWS, columns: COLUMNS });
    if (!reply) return;
    this.#reply = reply.ok ? reply : null;
    this.draw();
  }

  /** The friction of now, as the wrench that it balances. */
  point(wrench) {
    this.#wrench = wrench;
    this.draw();
  }

  draw() {
    if (!this.area.isConnected || this.area.clientWidth === 0) return;
    const { context, width, height } = sized(this.#canvas);
    const colour = colours();
    if (!this.#reply) {
      label(context, "a patch without friction holds nothing", width / 2, height / 2, colour.muted);
      return;
    }
    const { mesh, rows, columns, force, moment } = this.#reply;
    const { about, tilt } = this.#turn;
    const [ca, sa, ct, st] = [Math.cos(about), Math.sin(about), Math.cos(tilt), Math.sin(tilt)];
    const scale = 0.36 * Math.min(width, height);
    // right, up, towards the viewer
    const project = (x, y, z) => {
      const [u, v] = [ca * x + sa * y, -sa * x + ca * y];
      return [width / 2 + scale * u, height / 2 - scale * (ct * z - st * v), ct * -v - st * z];
    };
    const vertex = (i, k) => {
      const at = 3 * (i * columns + k);
      return [mesh[at] / force, mesh[at + 1] / force, mesh[at + 2] / moment];
    };
    const faces = [];
    for (let i = 0; i + 1 < rows; i += 1) {
      for (let k = 0; k + 1 < columns; k += 1) {
        const corners = [vertex(i, k), vertex(i, k + 1), vertex(i + 1, k + 1), vertex(i + 1, k)];
        const points = corners.map((corner) => project(...corner));
        const middle = corners.reduce((sum, c) => sum.map((v, j) => v + c[j] / 4), [0, 0, 0]);
        faces.push({ points, depth: points.reduce((sum, p) => sum + p[2], 0), light: 0.5 + 0.5 * (middle[2] * ct * 0.6 + (-sa * middle[0] + ca * middle[1]) * -0.5) });
      }
    }
    faces.sort((a, b) => a.depth - b.depth);
    const wrench = this.#wrench && [this.#wrench[0] / force, this.#wrench[1] / force, this.#wrench[2] / moment];
    context.lineWidth = 0.6;
    for (const { points, depth, light } of faces) {
      context.beginPath();
      points.forEach(([x, y], j) => (j ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
      context.globalAlpha = depth < 0 ? 0.35 : 0.42;
      context.fillStyle = shade(light, colour);
      context.fill();
      context.globalAlpha = 0.5;
      context.strokeStyle = colour.slide;
      context.stroke();
    }
    context.globalAlpha = 1;
    const [ox, oy] = project(0, 0, 0);
    for (const [name, x, y, z] of [["Fx", 1.35, 0, 0], ["Fy", 0, 1.35, 0], ["Mz", 0, 0, 1.3]]) {
      const [ax, ay] = project(x, y, z);
      arrow(context, ox, oy, ax, ay, colour.muted, 1.5);
      label(context, name, ax + 12, ay - 8, colour.text);
    }
    if (wrench) {
      const [x, y] = project(...wrench);
      context.strokeStyle = colour.force;
      context.lineWidth = 2.5;
      context.beginPath();
      context.moveTo(ox, oy);
      context.lineTo(x, y);
      context.stroke();
      context.beginPath();
      context.arc(x, y, 6, 0, 2 * Math.PI);
      context.fillStyle = colour.force;
      context.fill();
    }
  }
}

function shade(light, colour) {
  return `color-mix(in srgb, ${colour.slide} ${Math.round(100 * Math.min(1, Math.max(0.15, 1 - light)))}%, ${colour.card})`;
}
