// A number of the outcome over two parameters, on a small grid: where does it stick, how far does it slide?

import { colours, el, short, sized } from "../dom.js";
import { download } from "../files.js";
import { ticks } from "../plot/ticks.js";
import { placeOf, rangeOf, STEPS, valueAt } from "../range.js";
import { words } from "../schema.js";
import { at } from "../state.js";
import { FACTS, fillBox, parameters, pathOf, textAt } from "./parameters.js";

const COLUMNS = 24;
const ROWS = 16;
const MARGIN = { left: 62, right: 92, top: 10, bottom: 42 };
/** Parameters and facts that a map begins with, where they exist. */
const FIRST = { x: ["omega", "spin"], y: ["mu", "amplitude"], fact: FACTS };
/** One hue in even steps of lightness: blue and orange are left to slip and stick. */
const RAMP = [[247, 242, 250], [226, 209, 236], [198, 168, 217], [168, 124, 194], [134, 80, 166], [98, 40, 132], [58, 14, 86]];

export class MapMode {
  name = "map";
  title = "Map";
  #canvas = el("canvas", { "aria-hidden": "true" });
  #note = el("p", { class: "note", role: "status" });
  #readout = el("output", { class: "readout", hidden: "", "aria-hidden": "true" });
  #cells = [];
  #turn = 0;
  #chosen = {};
  #key = "";

  constructor(engine, state, schema) {
    Object.assign(this, { engine, state, schema });
    const select = (name, label) => {
      const box = el("select", { "aria-label": label, onchange: () => { this.#chosen[name] = box.value; this.#compute(); } });
      return box;
    };
    this.boxes = { x: select("x", "parameter across"), y: select("y", "parameter upwards"), fact: select("fact", "number shown") };
    this.area = el("div", { class: "area map", role: "img", "aria-label": "map" }, this.#canvas, this.#readout);
    const save = el("button", { type: "button", onclick: () => this.#save() }, "CSV");
    this.element = el("div", { class: "mode" },
      el("div", { class: "bar card" }, el("label", { class: "pill" }, "across", this.boxes.x), el("label", { class: "pill" }, "upwards", this.boxes.y), el("label", { class: "pill" }, "colour", this.boxes.fact), save),
      this.#note, el("div", { class: "card plot" }, this.area));
    this.#canvas.addEventListener("pointermove", (event) => this.#hover(event));
    this.#canvas.addEventListener("pointerleave", () => { this.#readout.hidden = true; });
    this.#canvas.addEventListener("click", (event) => this.#go(event));
    new ResizeObserver(() => requestAnimationFrame(() => this.#draw())).observe(this.area);
  }

  clear() {
    this.#turn += 1;
    this.#key = "";
    this.#note.textContent = "";
    this.#cells = [];
    this.#draw();
  }

  update(motion) {
    this.motion = motion;
    if (this.element.hidden) return;
    const options = this.#parameters().map(({ path }) => path.join("."));
    const fill = (name, values, label) => { this.#chosen[name] = fillBox(this.boxes[name], values, this.#chosen[name], FIRST[name], label); };
    fill("x", options);
    fill("y", options.filter((path) => path !== this.#chosen.x));
    fill("fact", motion.reply.facts.map(({ name }) => name), words);
    if (!this.#chosen.x || !this.#chosen.y) {
      this.clear();
      this.axes = null;
      this.#note.textContent = "A map needs two numbers to vary.";
      return;
    }
    // the same but for the two parameters themselves: only the mark moves
    if (this.#keyNow() === this.#key) this.#draw();
    else this.#compute();
  }

  #keyNow() {
    return textAt(this.state, [[this.#chosen.x, 1], [this.#chosen.y, 1]]) + this.#chosen.x + this.#chosen.y + this.#chosen.fact;
  }

  #parameters() {
    return parameters(this.schema, this.state);
  }

  #axis(name) {
    const field = this.#parameters().find(({ path }) => path.join(".") === this.#chosen[name]);
    const range = rangeOf(field);
    const n = name === "x" ? COLUMNS : ROWS;
    // from the middle of the first cell to that of the last: a range that begins at zero does not ask for zero
    const values = Array.from({ length: n }, (_, i) => valueAt(range, (STEPS * (i + 0.5)) / n));
    return { field, range, values };
  }

  async #compute() {
    if (!this.#chosen.x || !this.#chosen.y || this.element.hidden) return;
    const turn = (this.#turn += 1);
    this.#key = this.#keyNow();
    const [x, y, fact] = [this.#axis("x"), this.#axis("y"), this.#chosen.fact];
    this.axes = { x, y };
    this.#cells = Array.from({ length: ROWS }, () => Array(COLUMNS).fill(undefined));
    const start = performance.now();
    for (let i = 0; i < ROWS; i += 1) {
      for (let k = 0; k < COLUMNS; k += 1) {
        const reply = await this.engine.ask({ ask: "run", text: textAt(this.state, [[this.#chosen.x, x.values[k]], [this.#chosen.y, y.values[i]]]) }, { kind: "map", limit: 2000 });
        if (turn !== this.#turn || this.element.hidden) return;
        this.#cells[i][k] = reply?.ok ? (reply.facts.find(({ name }) => name === fact)?.value ?? NaN) : NaN;
      }
      this.#note.textContent = `${ROWS} × ${COLUMNS} runs: ${Math.round((100 * (i + 1)) / ROWS)} %`;
      this.#draw();
    }
    this.#note.textContent = `${ROWS} × ${COLUMNS} runs done in ${((performance.now() - start) / 1000).toFixed(1)} s. Click to go there.`;
    window.lab.map = { cell: (i, k) => ({ value: this.#cells[i][k], fact, sets: [`${this.#chosen.x}=${x.values[k]}`, `${this.#chosen.y}=${y.values[i]}`] }) };
  }

  #draw() {
    if (!this.axes || this.element.hidden) return;
    const { context, width, height } = sized(this.#canvas);
    if (width === 0) return;
    const colour = colours();
    const area = { left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
    this.place = area;
    const [w, h] = [(area.right - area.left) / COLUMNS, (area.bottom - area.top) / ROWS];
    const all = this.#cells.flat().filter(Number.isFinite);
    const [low, high] = [Math.min(...all), Math.max(...all)];
    this.#cells.forEach((row, i) => row.forEach((value, k) => {
      if (!Number.isFinite(value)) return;
      context.fillStyle = shade(high > low ? (value - low) / (high - low) : 0.5, colour.isDark);
      context.fillRect(area.left + k * w, area.bottom - (i + 1) * h, w + 0.6, h + 0.6);
    }));
    context.strokeStyle = colour.axis;
    context.strokeRect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    this.#numbers(context, area, colour);
    if (all.length) this.#bar(context, area, low, high, colour);
    const here = ["x", "y"].map((name) => placeOf(this.axes[name].range, at(this.state.filled, pathOf(this.#chosen[name])) ?? 0) / STEPS);
    context.beginPath();
    context.arc(area.left + here[0] * (area.right - area.left), area.bottom - here[1] * (area.bottom - area.top), 6, 0, 2 * Math.PI);
    context.strokeStyle = "#fff";
    context.lineWidth = 4;
    context.stroke();
    context.strokeStyle = "#000";
    context.lineWidth = 2;
    context.stroke();
    this.area.setAttribute("aria-label", `map of ${words(this.#chosen.fact)} over ${this.#chosen.x} and ${this.#chosen.y}${all.length ? `, from ${short(low)} to ${short(high)}` : ""}`);
  }

  #numbers(context, area, colour) {
    context.font = "12px system-ui, sans-serif";
    const unit = (field) => (field.unit && field.unit !== "-" ? ` (${field.unit})` : "");
    for (const [name, isAcross] of [["x", true], ["y", false]]) {
      const { range, field } = this.axes[name];
      for (const { value, text } of ticks(range.from, range.to, isAcross ? 7 : 5, range.isLog)) {
        const part = range.isLog ? Math.log(value / range.from) / Math.log(range.to / range.from) : (value - range.from) / (range.to - range.from);
        context.fillStyle = colour.muted;
        context.textAlign = isAcross ? "center" : "right";
        context.textBaseline = isAcross ? "top" : "middle";
        if (isAcross) context.fillText(text, area.left + part * (area.right - area.left), area.bottom + 6);
        else context.fillText(text, area.left - 7, area.bottom - part * (area.bottom - area.top));
      }
      context.fillStyle = colour.text;
      context.textAlign = "center";
      context.save();
      if (isAcross) context.translate((area.left + area.right) / 2, area.bottom + 24);
      else {
        context.translate(8, (area.top + area.bottom) / 2);
        context.rotate(-Math.PI / 2);
      }
      context.textBaseline = "top";
      context.fillText(`${words(field.label ?? field.key)}${unit(field)}`, 0, isAcross ? 0 : -4);
      context.restore();
    }
  }

  #bar(context, area, low, high, colour) {
    const left = area.right + 16;
    for (let i = 0; i < 100; i += 1) {
      context.fillStyle = shade(i / 99, colour.isDark);
      const step = (area.bottom - area.top) / 100;
      context.fillRect(left, area.bottom - (i + 1) * step, 14, step + 0.6);
    }
    context.fillStyle = colour.muted;
    context.textAlign = "left";
    context.textBaseline = "middle";
    [[low, area.bottom - 6], [0.5 * (low + high), (area.top + area.bottom) / 2], [high, area.top + 6]].forEach(([value, y]) => context.fillText(short(value, 3), left + 19, y));
  }

  /** The cell under the mouse. */
  #cell(event) {
    const box = this.#canvas.getBoundingClientRect();
    const { left, right, top, bottom } = this.place ?? {};
    const k = Math.floor((COLUMNS * (event.clientX - box.left - left)) / (right - left));
    const i = Math.floor((ROWS * (bottom - (event.clientY - box.top))) / (bottom - top));
    return this.axes && k >= 0 && k < COLUMNS && i >= 0 && i < ROWS ? { i, k, px: event.clientX - box.left, py: event.clientY - box.top, width: box.width } : null;
  }

  #hover(event) {
    const cell = this.#cell(event);
    this.#readout.hidden = !cell;
    if (!cell) return;
    const { x, y } = this.axes;
    this.#readout.textContent = `${words(x.field.key)} ${short(x.values[cell.k])}, ${words(y.field.key)} ${short(y.values[cell.i])}: ${words(this.#chosen.fact)} ${short(this.#cells[cell.i][cell.k] ?? NaN)}`;
    const isRight = cell.px > cell.width / 2;
    this.#readout.style.left = isRight ? "auto" : `${cell.px + 12}px`;
    this.#readout.style.right = isRight ? `${cell.width - cell.px + 12}px` : "auto";
    this.#readout.style.top = `${Math.max(0, cell.py - 30)}px`;
  }

  #go(event) {
    const cell = this.#cell(event);
    if (cell) this.state.set([[pathOf(this.#chosen.x), this.axes.x.values[cell.k]], [pathOf(this.#chosen.y), this.axes.y.values[cell.i]]]);
  }

  #save() {
    if (!this.axes) return;
    const { x, y } = this.axes;
    const rows = this.#cells.flatMap((row, i) => row.map((value, k) => `${x.values[k]},${y.values[i]},${value ?? ""}`));
    download("map.csv", `${this.#chosen.x},${this.#chosen.y},${this.#chosen.fact}\n${rows.join("\n")}\n`, "text/csv");
  }

  time() {}
}

/** The colour of a part of the range; the largest differs most from the card. */
function shade(part, isDark) {
  const whole = Math.min(1, Math.max(0, part));
  const place = (isDark ? 1 - whole : whole) * (RAMP.length - 1);
  const i = Math.min(RAMP.length - 2, Math.floor(place));
  const mix = RAMP[i].map((v, k) => Math.round(v + (place - i) * (RAMP[i + 1][k] - v)));
  return `rgb(${mix.join(" ")})`;
}
