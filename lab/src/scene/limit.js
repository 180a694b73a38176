// The limit surface: the wrenches that the patch holds at rest. It turns under the mouse; the friction of now is a dot in it.

import { colours, el, sized } from "../dom.js";
import { arrow, label } from "./draw.js";

const ROWS = 25;
const COLUMNS = 40;
const SHADES = 32;

export class LimitScene {
  #canvas = el("canvas", { "aria-hidden": "true" });
  #turn = { about: 0.7, tilt: 0.45 };
  #reply = null;
  #wrench = null;
  #picture = null;
  #key = "";
  #isPending = false;

  constructor(engine) {
    this.engine = engine;
    this.area = el("div", { class: "area", role: "img", tabindex: "0", "aria-label": "limit surface: force and moment that the patch holds at rest; arrow keys rotate it" }, this.#canvas);
    this.element = el("figure", { class: "plot card" }, el("figcaption", {}, el("h2", {}, "Limit surface")), this.area,
      el("p", { class: "caption" }, "Drag to rotate. Inside the surface the body rests; while it slides, friction (the dot) is on the surface."));
    new ResizeObserver(() => requestAnimationFrame(() => this.draw())).observe(this.area);
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
    this.#picture = null;
    this.draw();
  }

  /** Computes the surface, if the patch or its load is another. */
  async update(state, isNew) {
    const { patch, mass, gravity, tilt, inner_mass } = state.filled.system.body;
    const key = JSON.stringify([patch, mass, gravity, tilt, inner_mass?.mass]);
    if (key === this.#key) return;
    this.#key = key;
    // the surface of another body must not stand beside this one
    if (isNew) [this.#reply, this.#isPending] = [null, true];
    const reply = await this.engine.ask({ ask: "limit", text: state.text, rows: ROWS, columns: COLUMNS });
    if (!reply) return;
    this.#isPending = false;
    this.#reply = reply.ok ? reply : null;
    this.#picture = null;
    this.draw();
  }

  /** The friction of now, as the wrench that it balances. */
  point(wrench) {
    this.#wrench = wrench;
    this.draw();
  }

  /** Another theme. */
  forget() {
    this.#picture = null;
  }

  draw() {
    if (!this.area.isConnected) return;
    const { context, width, height } = sized(this.#canvas);
    if (width === 0) return;
    const colour = colours();
    if (!this.#reply) {
      label(context, this.#isPending ? "computing …" : "a patch without friction holds nothing", width / 2, height / 2, colour.muted);
      return;
    }
    const { force, moment } = this.#reply;
    const project = this.#projection(width, height);
    const size = this.#canvas.width;
    if (!this.#picture || this.#picture.width !== size) this.#picture = this.#mesh(width, height, project, colour);
    context.drawImage(this.#picture, 0, 0, width, height);
    if (!this.#wrench) return;
    const [ox, oy] = project(0, 0, 0);
    const [x, y] = project(this.#wrench[0] / force, this.#wrench[1] / force, this.#wrench[2] / moment);
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

  /** Wrench, in its largest values, to pixels: right, down, and towards the viewer. */
  #projection(width, height) {
    const { about, tilt } = this.#turn;
    const [ca, sa, ct, st] = [Math.cos(about), Math.sin(about), Math.cos(tilt), Math.sin(tilt)];
    const scale = 0.36 * Math.min(width, height);
    return (x, y, z) => {
      const [u, v] = [ca * x + sa * y, -sa * x + ca * y];
      return [width / 2 + scale * u, height / 2 - scale * (ct * z - st * v), ct * -v - st * z];
    };
  }

  /** The surface with its axes, as a picture: it changes with its turn only. */
  #mesh(width, height, project, colour) {
    const { mesh, rows, columns, force, moment } = this.#reply;
    const canvas = el("canvas", { width: this.#canvas.width, height: this.#canvas.height });
    const context = canvas.getContext("2d");
    context.scale(this.#canvas.width / width, this.#canvas.height / height);
    const vertex = (i, k) => {
      const at = 3 * (i * columns + k);
      return [mesh[at] / force, mesh[at + 1] / force, mesh[at + 2] / moment];
    };
    const faces = [];
    for (let i = 0; i + 1 < rows; i += 1) {
      for (let k = 0; k + 1 < columns; k += 1) {
        const corners = [vertex(i, k), vertex(i, k + 1), vertex(i + 1, k + 1), vertex(i + 1, k)];
        const points = corners.map((corner) => project(...corner));
        const depth = points.reduce((sum, p) => sum + p[2], 0);
        const up = corners.reduce((sum, c) => sum + c[2], 0) / 4;
        faces.push({ points, depth, light: 0.5 + 0.3 * up + 0.06 * depth });
      }
    }
    faces.sort((a, b) => a.depth - b.depth);
    const shades = Array.from({ length: SHADES }, (_, i) => shade(i / (SHADES - 1), colour));
    context.lineWidth = 0.6;
    context.strokeStyle = colour.accent;
    for (const { points, light } of faces) {
      context.beginPath();
      points.forEach(([x, y], j) => (j ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.closePath();
      context.globalAlpha = 0.4;
      context.fillStyle = shades[Math.round(Math.min(1, Math.max(0, light)) * (SHADES - 1))];
      context.fill();
      context.globalAlpha = 0.5;
      context.stroke();
    }
    context.globalAlpha = 1;
    const [ox, oy] = project(0, 0, 0);
    for (const [name, x, y, z] of [["Fx", 1.35, 0, 0], ["Fy", 0, 1.35, 0], ["Mz", 0, 0, 1.3]]) {
      const [ax, ay] = project(x, y, z);
      arrow(context, ox, oy, ax, ay, colour.muted, 1.5);
      label(context, name, ax + 12, ay - 8, colour.text);
    }
    return canvas;
  }
}

function shade(light, colour) {
  return `color-mix(in srgb, ${colour.accent} ${Math.round(100 * Math.min(1, Math.max(0.15, 1 - light)))}%, ${colour.card})`;
}
