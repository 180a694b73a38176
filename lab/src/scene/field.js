// Many degrees of freedom: displacements as a line, and which contact sticks over time as a strip; beams and plates as sketches.

import { colours, short } from "../dom.js";
import { arrow, hatched, label } from "./draw.js";
import { dofsOf, list } from "./plan.js";
import { Scale } from "./scale.js";

const FREE = 46;
/** Degrees of freedom that are drawn as dots. */
const SPARSE = 60;
/** Columns of the strip. */
const COLUMNS = 600;
/** Rows of the strip at most. */
const ROWS = 400;

export class FieldScene {
  #reach = new Scale();
  #strip = null;
  drawn = [];

  show(plan, motion, { isNew, isSketch }) {
    Object.assign(this, { plan, motion, isSketch });
    if (isNew) this.#reach.forget();
    this.#reach.show(motion.largest("position"));
    this.#strip = null;
    // blocks that always ride along are left out, but for some beside those that slip
    const last = motion.events.reduce((most, { kind, contact }) => (kind === "slip" ? Math.max(most, contact) : most), 0);
    this.rows = motion.m > SPARSE ? Math.min(motion.m, Math.max(24, Math.ceil(1.3 * last) + 4)) : motion.m;
    this.numbers = isSketch ? Array.from({ length: Math.min(SPARSE, this.#nodes()) }, (_, i) => i) : motion.kind("position").map(({ index }, i) => index ?? i);
  }

  get isMoving() {
    return this.#reach.isMoving;
  }

  get description() {
    return this.isSketch ? `sketch of a ${this.plan.form}` : `${this.numbers.length} degrees of freedom, displaced from rest`;
  }

  #nodes() {
    const { form, system, n } = this.plan;
    return form === "beam" ? (system.elements ?? 1) + 1 : n || 12;
  }

  draw(context, width, height, t) {
    const colour = colours();
    this.drawn = [];
    if (this.isSketch || this.plan.form === "beam") this.#sketch(context, colour, width, height);
    if (this.isSketch) return;
    const hasStrip = this.motion.m > SPARSE;
    const own = hasStrip ? 0.5 * height : height;
    this.#line(context, colour, width, own, t);
    if (hasStrip) this.#history(context, colour, width, own, height, t);
  }

  #line(context, colour, width, height, t) {
    const { motion } = this;
    const place = motion.locate(t);
    const n = motion.m > SPARSE && this.numbers.length === motion.m ? this.rows : this.numbers.length;
    const px = (i) => FREE + ((width - 2 * FREE) * (i + 0.5)) / n;
    const middle = 0.55 * height;
    const scale = (0.36 * height) / this.#reach.value;
    const y = (i) => middle - scale * motion.value("position", place, i);
    context.strokeStyle = colour.faint;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(FREE / 2, middle);
    context.lineTo(width - FREE / 2, middle);
    context.stroke();
    const state = this.numbers.slice(0, n).map((dof, i) => {
      const contacts = this.numbers.length === motion.m ? [i] : motion.contacts.flatMap(({ direction }, c) => (direction[dof] ? [c] : []));
      return contacts.length ? (contacts.every((c) => motion.sticks(c, t)) ? colour.stick : colour.slide) : colour.ink;
    });
    context.lineWidth = 2.5;
    context.lineJoin = "round";
    // one path a run of equal colour: a thousand strokes a frame would be slow
    for (let i = 1, from = 0; i <= n; i += 1) {
      if (i < n && state[i] === state[from]) continue;
      context.strokeStyle = state[from];
      context.beginPath();
      for (let k = from; k <= Math.min(i, n - 1); k += 1) context.lineTo(px(k), y(k));
      context.stroke();
      from = i;
    }
    for (let i = 0; i < n && n <= SPARSE; i += 1) {
      context.fillStyle = state[i];
      context.beginPath();
      context.arc(px(i), y(i), 6, 0, 2 * Math.PI);
      context.fill();
      if (n <= 24 && width / n > 26) label(context, String(this.numbers[i]), px(i), height - 12, colour.muted, "center", 11);
    }
    const unit = motion.column("position")?.unit ?? "m";
    context.strokeStyle = colour.muted;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(16, middle);
    context.lineTo(16, middle - 0.36 * height);
    context.stroke();
    label(context, `${short(this.#reach.value, 3)} ${unit}`, 24, middle - 0.36 * height, colour.muted, "left", 12);
  }

  /** Block over time: orange sticks, blue slides. */
  #history(context, colour, width, top, height, t) {
    const { motion } = this;
    const box = { left: FREE, top: top + 8, width: width - 2 * FREE, height: height - top - 34 };
    this.#strip ??= stripOf(motion, colour, this.rows);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#strip, box.left, box.top, box.width, box.height);
    context.strokeStyle = colour.axis;
    context.lineWidth = 1;
    context.strokeRect(box.left, box.top, box.width, box.height);
    const x = box.left + (box.width * (t - motion.from)) / (motion.to - motion.from);
    context.strokeStyle = colour.text;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(x, box.top);
    context.lineTo(x, box.top + box.height);
    context.stroke();
    label(context, `time, ${short(motion.to - motion.from, 3)} s${this.rows < motion.m ? `; the other ${motion.m - this.rows} blocks ride along` : ""}`, box.left + box.width / 2, height - 14, colour.muted, "center", 12);
    context.save();
    context.translate(18, box.top + box.height / 2);
    context.rotate(-Math.PI / 2);
    label(context, `block 0 … ${this.rows - 1}`, 0, 0, colour.muted, "center", 12);
    context.restore();
    this.drawn.push(`strip ${motion.m}`);
  }

  /** A beam, plate or chain with its supports, contacts and loads. */
  #sketch(context, colour, width, height) {
    const { form, system } = this.plan;
    const [x1, x2, y] = [0.12 * width, 0.88 * width, 0.5 * height];
    const nodes = this.#nodes();
    const px = (node) => x1 + ((x2 - x1) * node) / Math.max(1, nodes - 1);
    const thick = form === "chain" ? 3 : 12;
    context.fillStyle = colour.ink;
    context.globalAlpha = this.isSketch ? 1 : 0.2;
    context.fillRect(x1, y - thick / 2, x2 - x1, thick);
    for (let i = 0; i < nodes && nodes <= SPARSE; i += 1) {
      context.beginPath();
      context.arc(px(i), y, form === "chain" ? 6 : 3, 0, 2 * Math.PI);
      context.fillStyle = form === "chain" ? colour.ink : colour.card;
      context.fill();
    }
    for (const [x, support, side] of [[x1, system.left, 1], [x2, system.right, -1]]) {
      if (support && support !== "free") hatched(context, x, y - 34, x, y + 34, colour.ink, colour.faint, side);
    }
    list(system.friction).forEach((contact, c) => {
      for (const node of nodesOf(contact, form, nodes)) {
        context.fillStyle = colour.muted;
        context.fillRect(px(node) - 11, y + thick / 2 + 1, 22, 12);
        hatched(context, px(node) - 20, y + thick / 2 + 14, px(node) + 20, y + thick / 2 + 14, colour.ink, colour.faint, 1);
        if (nodes <= SPARSE || c < 8) this.drawn.push(`contact at ${node}`);
      }
    });
    for (const load of list(system.force)) {
      for (const node of nodesOf(load, form, nodes)) {
        const isAlong = form === "chain";
        // at the left end of a chain the load acts in its axis, elsewhere beside it
        const above = !isAlong ? 6 : px(node) - x1 < 3 && system.left === "free" ? -thick / 2 : 18;
        arrow(context, px(node) - (isAlong ? Math.min(60, px(node) - 8) : 0), y - thick / 2 - (isAlong ? above : 62), px(node), y - thick / 2 - above, colour.load, 3);
        this.drawn.push(`load at ${node}`);
      }
    }
    context.globalAlpha = 1;
    const size = form === "beam" ? `${short(system.length, 3)} m, ${system.elements} elements` : form === "chain" ? `${system.masses} masses of ${short(system.mass, 3)} kg` : form;
    label(context, size, (x1 + x2) / 2, 20, colour.muted, "center", 13);
  }

  pointer() {
    return false;
  }

  legend(colour) {
    return this.isSketch ? [["sketch of the system", colour.ink], ...(list(this.plan.system.force).length ? [["load", colour.load]] : [])] : [["contact slides", colour.slide], ["contact sticks", colour.stick]];
  }
}

/** Nodes of an element; a degree of freedom of a beam is half a node. */
function nodesOf(element, form, nodes) {
  if (element.node === "all") return Array.from({ length: nodes }, (_, i) => i);
  if (element.node === undefined && Number.isInteger(element.dof)) return [form === "beam" ? element.dof >> 1 : element.dof];
  return dofsOf(element, nodes);
}

/** Which contact sticks when, as a picture with a column for a time and a row for a block. */
function stripOf(motion, colour, blocks) {
  const rows = Math.min(ROWS, blocks);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [COLUMNS, rows];
  const context = canvas.getContext("2d");
  context.fillStyle = colour.slide;
  context.fillRect(0, 0, COLUMNS, rows);
  context.fillStyle = colour.stick;
  const px = (t) => (COLUMNS * (t - motion.from)) / (motion.to - motion.from);
  for (let row = 0; row < rows; row += 1) {
    const c = Math.floor((row * blocks) / rows);
    for (const [from, to] of motion.stickSpans(c)) context.fillRect(px(from), row, px(to) - px(from), 1);
  }
  return canvas;
}
