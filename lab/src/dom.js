// Elements without markup: every text is put in as text.

/** An element with attributes, listeners (`on…`) and children; absent ones are left out. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = {
  play: "M6 4l12 8-12 8z", pause: "M6 4h4v16H6zM14 4h4v16h-4z", next: "M4 4l10 8-10 8zM16 4h4v16h-4z", previous: "M20 4L10 12l10 8zM4 4h4v16H4z",
};

/** A small picture for a button, drawn by itself: fonts differ in what they have. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", "icon");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

const sizes = new WeakMap();
const watcher = globalThis.ResizeObserver && new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) sizes.set(target, [contentRect.width, contentRect.height]);
});

/** A canvas drawn in CSS pixels, as sharp as the screen. Gives its context and size. */
export function sized(canvas) {
  // to ask the canvas itself would lay out the page anew in every frame
  let size = sizes.get(canvas);
  if (!size) {
    size = [canvas.clientWidth, canvas.clientHeight];
    sizes.set(canvas, size);
    watcher.observe(canvas);
  }
  const [width, height] = size;
  const scale = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
  }
  const context = canvas.getContext("2d");
  context.setTransform(scale, 0, 0, scale, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

const NAMES = ["card", "text", "muted", "faint", "line", "grid", "axis", "ink", "accent", "slide", "stick", "force", "load", "third", "fourth", "on"];
let palette = null;

/** The colours of the present theme, by the names of the style sheet. */
export function colours() {
  if (!palette) {
    const style = getComputedStyle(document.documentElement);
    palette = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
    palette.isDark = style.colorScheme === "dark";
  }
  return palette;
}

const painters = [];

/** What has to be painted again in another theme. */
export function onTheme(paint) {
  painters.push(paint);
}

/** The theme has changed. */
export function forgetColours() {
  palette = null;
  for (const paint of painters) paint();
}

let typeSize = 1;
/** Width from which the style sheet takes larger letters (px). */
const PROJECTOR = 1900;

/** How much larger letters on canvases are than usual; on a projector as those of the page. */
export function type() {
  return typeSize === 1 && globalThis.innerWidth >= PROJECTOR ? 1.2 : typeSize;
}

export function setType(size) {
  typeSize = size;
}

/** A menu behind one button; it closes on Escape and when the focus leaves it. */
export function menu(label, title, ...items) {
  const box = el("details", { class: "menu" }, el("summary", { "aria-label": title, title }, label), el("div", { class: "items" }, ...items));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    event.stopPropagation();
    box.open = false;
    box.querySelector("summary").focus();
  });
  box.addEventListener("focusout", (event) => { if (event.relatedTarget && !box.contains(event.relatedTarget)) box.open = false; });
  box.addEventListener("click", (event) => { if (event.target.closest(".items button:not([data-stays])")) box.open = false; });
  return box;
}

globalThis.addEventListener?.("pointerdown", (event) => {
  for (const box of document.querySelectorAll("details.menu[open]")) if (!box.contains(event.target)) box.open = false;
});

/** A number for people: four digits, and powers of ten where they are needed. */
export function short(value, digits = 4) {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? Number(value.toPrecision(digits)).toExponential() : String(Number(value.toPrecision(digits)));
  return text.replace(/e\+?(-?\d+)$/, (_, exponent) => `·${power(exponent)}`).replace("-", "−");
}

/** A power of ten. */
export function power(exponent) {
  return `10${[...String(exponent)].map((c) => SUPERSCRIPT[c]).join("")}`;
}

const SUPERSCRIPT = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
