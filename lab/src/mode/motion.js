// The plots of the present motion.

import { el } from "../dom.js";
import { PANELS, printed } from "../plot/panels.js";
import { Plot } from "../plot/plot.js";

export class MotionMode {
  name = "motion";
  title = "Plots";
  #plots = new Map();
  #shown = [];
  #about = el("p", { class: "printed", hidden: "" });
  #box = el("div", { class: "plots" });
  /** The entry of the menu that the scenario is from, if it is. */
  example = "";

  constructor(player) {
    this.player = player;
    this.element = el("div", { class: "mode" }, this.#about, this.#box);
  }

  /** The plot of a panel; made when it is first wanted. */
  #plot(panel) {
    if (!this.#plots.has(panel)) {
      const plot = new Plot(panel.title);
      plot.onPick = (x) => plot.isTime && this.player.seek(x);
      this.#plots.set(panel, { panel, plot });
    }
    return this.#plots.get(panel);
  }

  isFor() {
    return true;
  }

  update(motion) {
    const isFor = (panel) => panel.isFor(motion);
    const first = printed(this.example).filter(isFor);
    this.#about.hidden = first.length === 0;
    this.#about.textContent = `First the ${first.length} panels of the printed figure, then what else there is to see.`;
    const shown = [...first, ...PANELS.filter((panel) => isFor(panel) && !first.includes(panel))].map((panel) => this.#plot(panel));
    const isOther = shown.length !== this.#shown.length || shown.some((one, i) => one !== this.#shown[i]);
    if (isOther) this.#box.replaceChildren(...shown.map(({ plot }) => plot.element));
    this.#shown = shown;
    for (const { panel, plot } of shown) plot.show(() => panel.content(motion));
  }

  time(motion, t) {
    for (const { panel, plot } of this.#shown) plot.point(() => panel.points(motion, t, motion.locate(t)));
  }
}
