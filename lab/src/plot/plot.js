// A plot of curves on a canvas: axes with units, zoom by dragging, values under the mouse, and files out of it.

import { colours, el, menu, onTheme, short, sized, type } from "../dom.js";
import { csvOf, download, measured } from "../files.js";
import { SvgContext } from "./svg.js";
import { ticks } from "./ticks.js";

const MARGIN = { right: 14, top: 12, bottom: 40 };
/** Space between the numbers of the y axis and its label, and beside both (px). */
const BESIDE = 30;
/** Part of the range that is left free beside curves. */
const FREE = 0.05;
/** Space between the numbers of the x axis (px). */
const APART = 10;
/** A drag shorter than this is a click (px). */
const CLICK = 5;
/** Height of a row of the legend (px). */
const LEGEND = 18;
const font = () => `${12 * type()}px system-ui, sans-serif`;

export class Plot {
  #base = el("canvas", { class: "base" });
  #over = el("canvas", { class: "over" });
  #readout = el("output", { class: "readout", "aria-hidden": "true", hidden: "" });
  #content = { curves: [], x: {}, y: {} };
  #make = null;
  #isSeen = false;
  #zoom = null;
  #drag = null;
  #hover = null;
  #place = null;
  #isStale = true;
  #cursor = null;
  #file;
  #remove;
  #measured = null;
  /** Called with the value of x where the plot is clicked. */
  onPick = null;

  constructor(title) {
    this.title = title;
    this.caption = el("p", { class: "caption" });
    const save = (kind) => el("button", { type: "button", onclick: () => this.save(kind) }, `Save as ${kind.toUpperCase()}`);
    this.#file = el("input", { type: "file", accept: ".csv,.txt,text/csv,text/plain", hidden: "", "aria-label": `measured data over ${title}`, onchange: () => this.#lay(this.#file.files[0]) });
    this.#remove = el("button", { type: "button", hidden: "", onclick: () => this.overlay(null) }, "Remove measured data");
    const lay = el("button", { type: "button", onclick: () => this.#file.click() }, "Measured CSV over it …");
    const exports = menu("Export", `export ${title}`, ...["png", "svg", "csv"].map(save), lay, this.#remove, this.#file);
    this.area = el("div", { class: "area", role: "img", "aria-label": title, tabindex: "0" }, this.#base, this.#over, this.#readout);
    this.element = el("figure", { class: "plot card" },
      el("figcaption", {}, el("h2", {}, title), exports), this.area, this.caption);
    this.#listen();
    new ResizeObserver(() => this.redraw()).observe(this.area);
    onTheme(() => this.redraw());
    new IntersectionObserver(([entry]) => {
      this.#isSeen = entry.isIntersecting;
      if (this.#isSeen) this.redraw();
    }).observe(this.element);
  }

  /** Shows what `make` gives: `{ x, y: { label, unit, isLog }, curves: [{ name, x, y, colour, width, dash, isPoints }], bands, marks }`. */
  show(make) {
    this.#make = make;
    this.#isStale = true;
    // what nobody sees is made when it comes into sight
    if (this.#isSeen) this.redraw();
  }

  /** Lays a file of measured points over the curves. */
  async #lay(file) {
    if (!file) return;
    const found = measured(await file.text());
    this.#file.value = "";
    if (found) this.overlay({ name: file.name, ...found });
    else this.caption.textContent = `${file.name}: no two columns of numbers`;
  }

  /** Points over the curves, `{ name, x, y }`, until they are removed by `null`. */
  overlay(points) {
    this.#measured = points;
    this.#remove.hidden = !points;
    this.redraw();
  }

  #take(content) {
    const isOther = content.x.label !== this.#content.x.label || content.x.isLog !== this.#content.x.isLog;
    this.#content = content;
    if (isOther) this.#zoom = null;
    this.caption.textContent = content.caption ?? "";
    this.area.setAttribute("aria-label", `${this.title}: ${content.y.label ?? ""} over ${content.x.label ?? ""}. ${content.caption ?? ""}`);
  }

  redraw() {
    this.#isStale = true;
    requestAnimationFrame(() => this.#paint());
  }

  /** Moving points: a function that gives `[{ x, y }]`, or `[{ x }]` for a line across. */
  point(points) {
    this.#cursor = points;
    if (this.#isSeen && !this.#isStale) this.#paintOver();
  }

  /** The curves in the picture, with what is laid over them. */
  get curves() {
    const own = this.#content.curves;
    return this.#measured ? [...own, { ...this.#measured, colour: "text", isDots: true }] : own;
  }

  /** The content, made if nobody has seen it yet. */
  get content() {
    if (this.#make) this.#take(this.#make());
    this.#make = null;
    return { ...this.#content, curves: this.curves };
  }

  /** Ranges of the axes in the last picture. */
  get ranges() {
    return this.#place?.ranges;
  }

  get isTime() {
    return this.#content.x.symbol === "t";
  }

  #paint() {
    if (!this.#isStale || !this.#isSeen || !this.area.isConnected) return;
    this.#isStale = false;
    if (this.#make) this.#take(this.#make());
    this.#make = null;
    const { context, width, height } = sized(this.#base);
    this.#draw(context, width, height, colours());
    this.#paintOver();
  }

  #ranges() {
    const { x, y, marks = [] } = this.#content;
    const curves = this.curves;
    const range = (axis, isLog) => {
      let [low, high] = [Infinity, -Infinity];
      const take = (v) => {
        if (!Number.isFinite(v) || (isLog && !(v > 0))) return;
        if (v < low) low = v;
        if (v > high) high = v;
      };
      for (const curve of curves) for (const v of curve[axis]) take(v);
      for (const mark of marks) take(mark[axis]);
      if (!(low <= high)) return isLog ? [0.1, 10] : [-1, 1];
      if (isLog) return low === high ? [low / 3, high * 3] : [low / 1.2, high * 1.2];
      // a range within the round-off of the quantity is a constant
      const floor = Math.max((axis === "x" ? x : y).floor ?? 0, 1e-12 * Math.max(Math.abs(low), Math.abs(high)));
      if (high - low <= floor) {
        const middle = Math.abs(low + high) / 2 <= floor ? 0 : (low + high) / 2;
        const half = 0.5 * Math.abs(middle) || 1;
        return [middle - half, middle + half];
      }
      const free = FREE * (high - low);
      const isTight = axis === "x" && x.isTight;
      return isTight ? [low, high] : [low - free, high + free];
    };
    return this.#zoom ?? { x: x.range ?? range("x", x.isLog), y: y.range ?? range("y", y.isLog) };
  }

  #draw(context, width, height, colour) {
    const { x, y, bands = [], marks = [] } = this.#content;
    const curves = this.curves;
    const ranges = this.#ranges();
    const big = type();
    context.font = font();
    const bottom = height - MARGIN.bottom * big;
    const rows = ticks(...ranges.y, (bottom - MARGIN.top) / (42 * big), y.isLog);
    // as much space as the widest number takes
    const left = BESIDE * big + Math.max(0, ...rows.map(({ text }) => context.measureText(text).width));
    const legend = this.#rows(context, width, left);
    const area = { left, top: MARGIN.top + LEGEND * big * legend.length, right: width - MARGIN.right, bottom };
    const to = (axis, isLog, low, high) => {
      const f = isLog ? Math.log : (v) => v;
      const [a, b] = ranges[axis].map(f);
      return (v) => low + ((f(v) - a) / (b - a)) * (high - low);
    };
    const px = to("x", x.isLog, area.left, area.right);
    const py = to("y", y.isLog, area.bottom, area.top);
    this.#place = { area, px, py, ranges };

    // grid and numbers
    context.font = font();
    context.lineWidth = 1;
    context.textAlign = "center";
    context.textBaseline = "top";
    const columns = apart(context, (n) => ticks(...ranges.x, n, x.isLog), (area.right - area.left) / (64 * big), area.right - area.left);
    for (const { value, text } of columns) {
      line(context, colour.grid, px(value), area.top, px(value), area.bottom);
      context.fillStyle = colour.muted;
      // a number at the end of the axis stays inside the picture
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(px(value), width - half - 2), area.bottom + 6);
    }
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const { value, text } of rows) {
      line(context, colour.grid, area.left, py(value), area.right, py(value));
      context.fillStyle = colour.muted;
      context.fillText(text, area.left - 7, py(value));
    }
    context.fillStyle = colour.text;
    context.textAlign = "center";
    context.textBaseline = "top";
    context.fillText(axisText(x), (area.left + area.right) / 2, area.bottom + 6 + 16 * big);
    context.save();
    context.translate(2, (area.top + area.bottom) / 2);
    context.rotate(-Math.PI / 2);
    context.fillText(axisText(y), 0, 0);
    context.restore();

    context.save();
    context.beginPath();
    context.rect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    context.clip();
    for (const { from, to: end, colour: name } of bands) {
      context.globalAlpha = 0.16;
      context.fillStyle = colour[name];
      const left = Math.max(area.left, px(from));
      context.fillRect(left, area.top, Math.max(1, Math.min(area.right, px(end)) - left), area.bottom - area.top);
    }
    context.globalAlpha = 1;
    this.ticks = { x: columns, y: rows };
    if (!y.isLog && ranges.y[0] < 0 && ranges.y[1] > 0) line(context, colour.axis, area.left, py(0), area.right, py(0));
    if (!x.isLog && ranges.x[0] < 0 && ranges.x[1] > 0) line(context, colour.axis, px(0), area.top, px(0), area.bottom);
    for (const curve of curves) drawCurve(context, curve, px, py, colour);
    for (const mark of marks) {
      dot(context, px(mark.x), py(mark.y), 5, colour[mark.colour ?? "accent"], colour.card);
    }
    context.restore();
    context.strokeStyle = colour.axis;
    context.lineWidth = 1;
    context.strokeRect(area.left, area.top, area.right - area.left, area.bottom - area.top);
    drawLegend(context, legend, colour, big);
  }

  /** Names of curves in rows above the plot, each with its place. */
  #rows(context, width, start) {
    const named = this.curves.filter((curve) => curve.name);
    const rows = [];
    if (named.length < 2) return rows;
    context.font = font();
    let left = Infinity;
    for (const curve of named) {
      const space = context.measureText(curve.name).width + 44;
      if (left + space > width - MARGIN.right) {
        rows.push([]);
        left = start;
      }
      rows.at(-1).push({ curve, left });
      left += space;
    }
    return rows;
  }

  #paintOver() {
    if (!this.#place || !this.area.isConnected) return;
    const { context } = sized(this.#over);
    const colour = colours();
    const { area, px, py } = this.#place;
    context.save();
    context.beginPath();
    context.rect(area.left - 6, area.top - 6, area.right - area.left + 12, area.bottom - area.top + 12);
    context.clip();
    for (const point of this.#cursor?.() ?? []) {
      if (point.y === undefined) line(context, colour.accent, px(point.x), area.top, px(point.x), area.bottom, 1.5);
      else dot(context, px(point.x), py(point.y), 5.5, colour[point.colour ?? "accent"], colour.card);
    }
    if (this.#drag?.isBox) {
      const { from, to } = this.#drag;
      context.fillStyle = colour.accent;
      context.globalAlpha = 0.15;
      context.fillRect(Math.min(from.x, to.x), Math.min(from.y, to.y), Math.abs(to.x - from.x), Math.abs(to.y - from.y));
      context.globalAlpha = 1;
    }
    if (this.#hover) dot(context, px(this.#hover.x), py(this.#hover.y), 4, colour[this.#hover.curve.colour], colour.card);
    context.restore();
    this.#showReadout();
  }

  #showReadout() {
    const { x, y } = this.#content;
    if (!this.#hover) {
      this.#readout.hidden = true;
      return;
    }
    const { px, py, area } = this.#place;
    const symbol = (axis) => axis.symbol ?? axis.label;
    const unit = (axis) => (axis.unit && axis.unit !== "-" ? ` ${axis.unit}` : "");
    const name = this.#hover.curve.name ? `${this.#hover.curve.name}: ` : "";
    const number = (value, axis) => short(Math.abs(value) < (axis.floor ?? 0) ? 0 : value, 5);
    this.#readout.textContent = `${name}${symbol(x)} = ${number(this.#hover.x, x)}${unit(x)}, ${symbol(y)} = ${number(this.#hover.y, y)}${unit(y)}`;
    this.#readout.hidden = false;
    const isRight = px(this.#hover.x) > (area.left + area.right) / 2;
    this.#readout.style.left = isRight ? "auto" : `${Math.max(0, px(this.#hover.x) + 10)}px`;
    this.#readout.style.right = isRight ? `${Math.max(0, this.area.clientWidth - px(this.#hover.x) + 10)}px` : "auto";
    this.#readout.style.top = `${Math.max(0, py(this.#hover.y) - 34)}px`;
  }

  #nearest(at) {
    const { px, py } = this.#place;
    let best = null;
    for (const curve of this.curves) {
      if (curve.isQuiet) continue;
      for (let i = 0; i < curve.x.length; i += 1) {
        const [dx, dy] = [px(curve.x[i]) - at.x, py(curve.y[i]) - at.y];
        const distance = dx * dx + 0.3 * dy * dy;
        if (distance < (best?.distance ?? 900)) best = { curve, x: curve.x[i], y: curve.y[i], distance };
      }
    }
    return best;
  }

  #listen() {
    const over = this.#over;
    const where = (event) => {
      const box = over.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    over.addEventListener("pointermove", (event) => {
      if (!this.#place) return;
      const to = where(event);
      if (this.#drag) {
        this.#drag.to = to;
        this.#drag.isBox ||= Math.hypot(to.x - this.#drag.from.x, to.y - this.#drag.from.y) > CLICK;
        this.#hover = null;
      } else this.#hover = this.#nearest(to);
      this.#paintOver();
    });
    over.addEventListener("pointerleave", () => {
      this.#hover = null;
      this.#paintOver();
    });
    over.addEventListener("pointerdown", (event) => {
      if (event.pointerType === "touch" || !this.#place) return;
      over.setPointerCapture(event.pointerId);
      this.#drag = { from: where(event), to: where(event), isBox: false };
    });
    over.addEventListener("pointerup", (event) => {
      const drag = this.#drag;
      this.#drag = null;
      if (!this.#place) return;
      if (drag?.isBox) this.#zoomTo(drag.from, drag.to);
      else this.onPick?.(this.#inverse("x", where(event).x));
    });
    over.addEventListener("dblclick", () => this.reset());
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Escape" || event.key === "0") this.reset();
      if (event.key === "+" || event.key === "-") this.#scale(event.key === "+" ? 0.5 : 2);
    });
  }

  #inverse(axis, pixel) {
    const { area, ranges } = this.#place;
    const isLog = this.#content[axis].isLog;
    const [low, high] = axis === "x" ? [area.left, area.right] : [area.bottom, area.top];
    const part = (pixel - low) / (high - low);
    const [a, b] = ranges[axis];
    return isLog ? a * (b / a) ** part : a + (b - a) * part;
  }

  #zoomTo(from, to) {
    const sorted = (axis) => [this.#inverse(axis, from[axis]), this.#inverse(axis, to[axis])].sort((a, b) => a - b);
    const zoom = { x: sorted("x"), y: sorted("y") };
    if (zoom.x[1] > zoom.x[0] && zoom.y[1] > zoom.y[0]) this.#zoom = zoom;
    this.redraw();
  }

  #scale(factor) {
    if (!this.#place || this.#content.x.isLog || this.#content.y.isLog) return;
    const about = ([a, b]) => [(a + b) / 2 - (factor * (b - a)) / 2, (a + b) / 2 + (factor * (b - a)) / 2];
    const { x, y } = this.#place.ranges;
    this.#zoom = { x: about(x), y: about(y) };
    this.redraw();
  }

  /** All of the curves again. */
  reset() {
    this.#zoom = null;
    this.redraw();
  }

  save(kind) {
    if (this.#make) this.#take(this.#make());
    const name = `${this.title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;
    if (kind === "csv") return download(`${name}.csv`, csvOf({ ...this.#content, curves: this.curves }), "text/csv");
    const [width, height] = [900, 560];
    if (kind === "svg") {
      const context = new SvgContext(width, height);
      const colour = colours();
      context.fillStyle = colour.card;
      context.fillRect(0, 0, width, height);
      this.#draw(context, width, height, colour);
      this.redraw();
      return download(`${name}.svg`, context.toString(), "image/svg+xml");
    }
    const canvas = el("canvas", { width: 2 * width, height: 2 * height });
    const context = canvas.getContext("2d");
    context.scale(2, 2);
    context.fillStyle = colours().card;
    context.fillRect(0, 0, width, height);
    this.#draw(context, width, height, colours());
    this.redraw();
    canvas.toBlob((blob) => download(`${name}.png`, blob));
  }
}

/** As many numbers of an axis as stand beside each other; fewer where they are long. */
function apart(context, make, n, width) {
  const list = make(n);
  const isCrowded = list.reduce((sum, { text }) => sum + context.measureText(text).width + APART, 0) > width;
  return isCrowded && n > 1 ? apart(context, make, 0.7 * n, width) : list;
}

function drawLegend(context, rows, colour, big) {
  context.font = font();
  context.textAlign = "left";
  context.textBaseline = "middle";
  rows.forEach((row, i) => {
    for (const { curve, left } of row) {
      const top = 10 + LEGEND * big * i;
      context.setLineDash(curve.dash ?? []);
      line(context, colour[curve.colour], left, top, left + 22, top, 2.5);
      context.setLineDash([]);
      context.fillStyle = colour.text;
      context.fillText(curve.name, left + 28, top + 1);
    }
  });
}

function drawCurve(context, curve, px, py, colour) {
  const { x, y } = curve;
  context.strokeStyle = colour[curve.colour];
  context.fillStyle = colour[curve.colour];
  context.globalAlpha = curve.alpha ?? 1;
  if (curve.isDots) {
    for (let i = 0; i < x.length; i += 1) {
      context.beginPath();
      context.arc(px(x[i]), py(y[i]), 2.5, 0, 2 * Math.PI);
      context.fill();
    }
    context.globalAlpha = 1;
    return;
  }
  if (curve.isPoints) {
    for (let i = 0; i < x.length; i += 1) {
      context.fillRect(px(x[i]) - 1, py(y[i]) - 1, 2, 2);
    }
    context.globalAlpha = 1;
    return;
  }
  context.lineWidth = curve.width ?? 2;
  context.lineJoin = "round";
  context.setLineDash(curve.dash ?? []);
  context.beginPath();
  let isDown = false;
  for (let i = 0; i < x.length; i += 1) {
    const [a, b] = [px(x[i]), py(y[i])];
    if (!Number.isFinite(a) || !Number.isFinite(b)) isDown = false;
    else if (isDown) context.lineTo(a, b);
    else {
      context.moveTo(a, b);
      isDown = true;
    }
  }
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}

function axisText({ label = "", unit }) {
  return unit && unit !== "-" ? `${label} (${unit})` : label;
}

function line(context, colour, x1, y1, x2, y2, width = 1) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

function dot(context, x, y, r, colour, edge) {
  if (!Number.isFinite(x) || !Number.isFinite(y)) return;
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
  context.strokeStyle = edge;
  context.lineWidth = 2;
  context.stroke();
}
