// The part of a canvas's context that plots use, writing SVG instead.

export class SvgContext {
  #parts = [];
  #path = "";
  #stack = [];
  #clips = 0;
  #open = 0;
  #shift = [0, 0];
  #turn = 0;
  #dash = [];
  strokeStyle = "#000";
  fillStyle = "#000";
  lineWidth = 1;
  globalAlpha = 1;
  font = "12px sans-serif";
  textAlign = "start";
  textBaseline = "alphabetic";
  lineJoin = "round";
  lineCap = "butt";

  constructor(width, height) {
    Object.assign(this, { width, height });
  }

  beginPath() { this.#path = ""; }
  moveTo(x, y) { this.#path += `M${n(x)} ${n(y)}`; }
  lineTo(x, y) { this.#path += `L${n(x)} ${n(y)}`; }
  closePath() { this.#path += "Z"; }
  rect(x, y, w, h) { this.#path += `M${n(x)} ${n(y)}h${n(w)}v${n(h)}h${n(-w)}Z`; }
  arc(x, y, r) { this.#path += `M${n(x - r)} ${n(y)}a${n(r)} ${n(r)} 0 1 0 ${n(2 * r)} 0a${n(r)} ${n(r)} 0 1 0 ${n(-2 * r)} 0`; }
  setLineDash(dash) { this.#dash = dash; }
  translate(x, y) { this.#shift = [this.#shift[0] + x, this.#shift[1] + y]; }
  rotate(angle) { this.#turn += (angle * 180) / Math.PI; }

  save() {
    this.#stack.push({ ...this, shift: this.#shift, turn: this.#turn, open: this.#open, dash: this.#dash });
  }

  restore() {
    const { shift, turn, open, dash, ...style } = this.#stack.pop();
    while (this.#open > open) {
      this.#parts.push("</g>");
      this.#open -= 1;
    }
    Object.assign(this, style);
    [this.#shift, this.#turn, this.#dash] = [shift, turn, dash];
  }

  clip() {
    this.#clips += 1;
    this.#parts.push(`<clipPath id="c${this.#clips}"><path d="${this.#path}"/></clipPath><g clip-path="url(#c${this.#clips})">`);
    this.#open += 1;
  }

  stroke() {
    const dash = this.#dash.length ? ` stroke-dasharray="${this.#dash.join(" ")}"` : "";
    this.#parts.push(`<path d="${this.#path}" fill="none" stroke="${escape(this.strokeStyle)}" stroke-width="${n(this.lineWidth)}" stroke-opacity="${n(this.globalAlpha)}" stroke-linejoin="${this.lineJoin}"${dash}/>`);
  }

  fill() {
    this.#parts.push(`<path d="${this.#path}" fill="${escape(this.fillStyle)}" fill-opacity="${n(this.globalAlpha)}"/>`);
  }

  fillRect(x, y, w, h) {
    this.#parts.push(`<rect x="${n(x)}" y="${n(y)}" width="${n(w)}" height="${n(h)}" fill="${escape(this.fillStyle)}" fill-opacity="${n(this.globalAlpha)}"/>`);
  }

  strokeRect(x, y, w, h) {
    this.beginPath();
    this.rect(x, y, w, h);
    this.stroke();
  }

  fillText(text, x, y) {
    const anchor = { center: "middle", right: "end", end: "end" }[this.textAlign] ?? "start";
    const baseline = { middle: "central", top: "hanging" }[this.textBaseline] ?? "auto";
    const [dx, dy] = this.#shift;
    const turn = this.#turn ? ` transform="translate(${n(dx)} ${n(dy)}) rotate(${n(this.#turn)})"` : "";
    const [px, py] = this.#turn ? [x, y] : [x + dx, y + dy];
    this.#parts.push(`<text x="${n(px)}" y="${n(py)}"${turn} text-anchor="${anchor}" dominant-baseline="${baseline}" fill="${escape(this.fillStyle)}" style="font:${escape(this.font)}">${escape(text)}</text>`);
  }

  measureText(text) {
    // the mean width of a digit of common fonts
    return { width: 0.56 * Number.parseFloat(this.font.match(/(\d+(\.\d+)?)px/)?.[1] ?? 12) * [...text].length };
  }

  toString() {
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${n(this.width)} ${n(this.height)}" width="${n(this.width)}" height="${n(this.height)}">${this.#parts.join("")}</svg>\n`;
  }
}

function n(value) {
  return String(Math.round(value * 100) / 100);
}

function escape(text) {
  return String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
}
