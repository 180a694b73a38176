// For a lecture: scene and one plot on the whole screen, two sliders, letters that the last row reads.

import { el, setType } from "./dom.js";
import { Plot } from "./plot/plot.js";

/** Letters on canvases against those on a desk. */
const TYPE = 2.1;
/** Parameters that are shown first, where they exist. */
const FIRST = ["mu", "belt", "spin", "amplitude", "load", "omega", "mu_static", "ki", "position"];

export class Present {
  element = el("section", { class: "present", hidden: "", "aria-label": "presentation" });
  #stage = el("div", { class: "place" });
  #plot = new Plot("Plot");
  #sliders = el("div", { class: "sliders" });
  #chosen = [];
  #panel = null;
  #rows = [];
  #heading = el("h2", {});

  constructor({ stage, mode, controls, player, redraw }) {
    Object.assign(this, { stage, mode, controls, player, redraw });
    this.home = el("span", { hidden: "" });
    this.which = el("select", { "aria-label": "plot shown", onchange: () => { this.#panel = this.which.value; this.update(this.motion); } });
    this.boxes = [0, 1].map((i) => el("select", { "aria-label": `parameter of slider ${i + 1}`, onchange: (event) => { this.#chosen[i] = event.target.value; this.#build(); } }));
    const leave = el("button", { type: "button", onclick: () => this.leave() }, "Leave");
    this.element.append(el("header", {}, this.#heading, this.which, ...this.boxes, leave), el("div", { class: "two" }, this.#stage, this.#plot.element), this.#sliders);
    document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && this.isOn && this.wasFull) this.leave(); });
    addEventListener("keydown", (event) => { if (event.key === "Escape" && this.isOn) this.leave(); });
  }

  get isOn() {
    return !this.element.hidden;
  }

  enter(motion) {
    this.stage.before(this.home);
    this.#stage.append(this.stage);
    this.element.hidden = false;
    document.body.classList.add("presenting");
    setType(innerWidth > 900 ? TYPE : 1);
    this.wasFull = false;
    // a browser may refuse: the page fills its window then
    document.documentElement.requestFullscreen?.().then(() => { this.wasFull = true; }, () => {});
    this.#chosen = [];
    this.update(motion);
    this.redraw();
  }

  leave() {
    if (!this.isOn) return;
    this.home.replaceWith(this.stage);
    this.element.hidden = true;
    document.body.classList.remove("presenting");
    setType(1);
    if (document.fullscreenElement) document.exitFullscreen();
    this.redraw();
  }

  update(motion) {
    this.motion = motion;
    if (!this.isOn || !motion) return;
    this.#heading.textContent = motion.reply.title ?? "";
    const panels = this.mode.shown.map(({ panel }) => panel);
    if (!panels.some(({ title }) => title === this.#panel)) this.#panel = panels[0]?.title ?? null;
    if ([...this.which.options].map(({ value }) => value).join() !== panels.map(({ title }) => title).join()) this.which.replaceChildren(...panels.map(({ title }) => el("option", { value: title }, title)));
    this.which.value = this.#panel ?? "";
    const panel = panels.find(({ title }) => title === this.#panel);
    this.shownPanel = panel;
    if (panel) this.#plot.show(() => panel.content(motion));
    this.#build();
  }

  time(motion, t) {
    const panel = this.shownPanel;
    if (this.isOn && panel?.isFor(motion)) this.#plot.point(() => panel.points(motion, t, motion.locate(t)));
  }

  /** Two sliders, those of last time where they still exist. */
  #build() {
    const numbers = this.controls.numbers;
    const key = ({ path }) => path.join(".");
    const rank = (item) => { const i = FIRST.indexOf(item.key); return i < 0 ? FIRST.length : i; };
    const sorted = [...numbers].sort((a, b) => rank(a) - rank(b));
    [0, 1].forEach((i) => {
      if (!numbers.some((item) => key(item) === this.#chosen[i])) this.#chosen[i] = sorted.map(key).find((name) => !this.#chosen.includes(name));
      const names = numbers.map(key);
      if ([...this.boxes[i].options].map(({ value }) => value).join() !== names.join()) this.boxes[i].replaceChildren(...numbers.map((item) => el("option", { value: key(item) }, `${item.heading ? `${item.heading} ` : ""}${item.label ?? item.key.replaceAll("_", " ")}`)));
      this.boxes[i].value = this.#chosen[i] ?? "";
    });
    const wanted = this.#chosen.map((name) => numbers.find((item) => key(item) === name)).filter(Boolean);
    if (this.#rows.map(({ name }) => name).join() !== wanted.map(key).join()) {
      this.#rows = wanted.map((item) => {
        const [row, update] = this.controls.rowFor({ ...item, label: item.label ?? undefined });
        row.querySelectorAll("[id]").forEach((one) => { one.id = `present-${one.id}`; });
        row.querySelector("label")?.setAttribute("for", row.querySelector("input[type=text]").id);
        row.querySelector("input[type=text]").setAttribute("aria-describedby", row.querySelector(".error").id);
        return { name: key(item), row, update };
      });
      this.#sliders.replaceChildren(...this.#rows.map(({ row }) => row));
    }
    this.#rows.forEach(({ update }, i) => update(wanted[i]));
  }
}
