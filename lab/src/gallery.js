// Scenarios by topic, each with a sketch of its system.

import { colours, el, onTheme, sized } from "./dom.js";
import { MOST, planOf } from "./scene/plan.js";
import { atRest, makeScenes } from "./scene/scenes.js";

/** Size at which a sketch is drawn, then reduced (px). */
const DRAWN = [420, 210];

export class Gallery {
  element = el("dialog", { class: "gallery", "aria-label": "examples" });
  #cards = [];
  #none = el("p", { role: "status" });
  #scenes = makeScenes();

  constructor(examples, engine, open) {
    this.engine = engine;
    const search = el("input", { type: "search", placeholder: "search", "aria-label": "search examples", oninput: () => this.#filter(search.value), onkeydown: (event) => this.#enter(event) });
    const close = el("button", { type: "button", class: "quiet close", "aria-label": "close", onclick: () => this.element.close() }, "×");
    const topics = [...new Set(examples.map(({ topic }) => topic))];
    const sections = topics.map((topic) => {
      const cards = examples.filter((one) => one.topic === topic).map((example) => this.#card(example, open));
      return el("section", { "aria-label": topic }, el("h3", {}, topic), el("div", { class: "cards" }, ...cards));
    });
    this.element.append(el("header", {}, el("h2", {}, "Examples"), search, close), el("div", { class: "topics", tabindex: "0", role: "region", "aria-label": "topics" }, this.#none, ...sections));
    this.watcher = new IntersectionObserver((entries) => entries.filter(({ isIntersecting }) => isIntersecting).forEach(({ target }) => this.#sketch(target)));
    const watch = () => this.#cards.forEach(({ canvas }) => this.watcher.observe(canvas));
    watch();
    onTheme(watch);
  }

  #card(example, open) {
    const canvas = el("canvas", { "aria-hidden": "true", "data-name": example.name });
    const card = el("button", { type: "button", class: "example", "data-name": example.name, onclick: () => { this.element.close(); open(example.name); } },
      canvas, el("b", {}, example.title), el("span", {}, example.about));
    this.#cards.push({ card, canvas, example, words: `${example.title} ${example.about} ${example.name} ${example.topic}`.toLowerCase() });
    return card;
  }

  /** Enter opens the first example found; the key is not to press the button that gets the focus back. */
  #enter(event) {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.#cards.find(({ card }) => !card.hidden)?.card.click();
  }

  show() {
    this.element.showModal();
  }

  #filter(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { card, words } of this.#cards) card.hidden = !wanted.every((word) => words.includes(word));
    this.#none.textContent = this.#cards.some(({ card }) => !card.hidden) ? "" : "No example has all these words.";
    for (const section of this.element.querySelectorAll("section")) section.hidden = !section.querySelector(".example:not([hidden])");
  }

  /** Draws the sketch of a card when it first comes into sight, in the present theme. */
  async #sketch(canvas) {
    this.watcher.unobserve(canvas);
    const { example } = this.#cards.find((one) => one.canvas === canvas);
    const ask = (question) => this.engine.ask({ ask: question, text: example.text }, { kind: `sketch ${example.name}` });
    // a large model takes seconds to build, and its sketch shows what is written
    const tree = (await ask("tree"))?.tree;
    const isLarge = tree?.system && Object.entries(tree.system).some(([kind, { masses }]) => kind === "beam" || kind === "plate" || masses > MOST);
    const scenario = isLarge ? tree : (await ask("read"))?.scenario;
    if (scenario) this.draw(canvas, scenario);
  }

  draw(canvas, scenario) {
    const { context, width, height } = sized(canvas);
    if (width === 0) return;
    context.save();
    const scale = Math.min(width / DRAWN[0], height / DRAWN[1]);
    context.scale(scale, scale);
    const [w, h] = [width / scale, height / scale];
    if (scenario.system.body) footprint(context, scenario.system.body, w, h);
    else {
      const motion = atRest(scenario);
      const plan = planOf(scenario, motion.contacts);
      const scene = this.#scenes[plan.kind];
      scene.show(plan, motion, { isNew: true, isSketch: true });
      scene.draw(context, w, h, 0);
    }
    context.restore();
  }
}

/** The contact of a body from above, with its velocity and spin. */
function footprint(context, body, width, height) {
  const colour = colours();
  const pieces = body.patch.shape.pieces ?? [{ shape: body.patch.shape, centre: [0, 0] }];
  const sizeOf = (shape) => shape.disc?.radius ?? shape.ring?.radius ?? shape.annulus?.outer_radius ?? shape.annulus?.outer ?? Math.hypot(shape.rectangle?.length ?? 0.1, shape.rectangle?.width ?? 0.1) / 2;
  const reach = Math.max(...pieces.map(({ shape, centre = [0, 0] }) => Math.hypot(...centre) + sizeOf(shape)));
  const scale = (0.36 * height) / reach;
  context.translate(width / 2, height / 2);
  context.fillStyle = colour.ink;
  for (const { shape, centre = [0, 0] } of pieces) {
    context.beginPath();
    const [x, y] = [scale * centre[0], -scale * centre[1]];
    if (shape.rectangle) context.rect(x - (scale * shape.rectangle.length) / 2, y - (scale * shape.rectangle.width) / 2, scale * shape.rectangle.length, scale * shape.rectangle.width);
    else if (shape.polygon) shape.polygon.vertices.forEach(([a, b]) => context.lineTo(x + scale * a, y - scale * b));
    else context.arc(x, y, scale * sizeOf(shape), 0, 2 * Math.PI);
    context.fill();
  }
  context.strokeStyle = colour.load;
  context.lineWidth = 4;
  context.beginPath();
  context.arc(0, 0, 0.44 * height, -0.9, 0.3);
  context.stroke();
}
