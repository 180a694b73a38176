// The plots of the present motion.

import { el } from "../dom.js";
import { PANELS } from "../plot/panels.js";
import { Plot } from "../plot/plot.js";

export class MotionMode {
  name = "motion";
  title = "Plots";
  #plots = PANELS.map((panel) => ({ panel, plot: new Plot(panel.title) }));
  #shown = [];
  #box = el("div", { class: "plots" });

  constructor(player) {
    this.element = el("div", { class: "mode" }, this.#box);
    for (const { plot } of this.#plots) plot.onPick = (x) => plot.isTime && player.seek(x);
  }

  isFor() {
    return true;
  }

  update(motion) {
    const shown = this.#plots.filter(({ panel }) => panel.isFor(motion));
    const isOther = shown.length !== this.#shown.length || shown.some((one, i) => one !== this.#shown[i]);
    if (isOther) this.#box.replaceChildren(...shown.map(({ plot }) => plot.element));
    this.#shown = shown;
    for (const { panel, plot } of shown) plot.show(() => panel.content(motion));
  }

  time(motion, t) {
    for (const { panel, plot } of this.#shown) plot.point(() => panel.points(motion, t, motion.locate(t)));
  }
}
