// The plots of the present outcome, with those of a pinned run behind them.

import { el } from "../dom.js";
import { parameterPanels } from "../plot/families.js";
import { PANELS, printed } from "../plot/panels.js";
import { Plot } from "../plot/plot.js";

/** Curves of a pinned run, grey and dashed behind the present ones. */
export function withGhost(content, ghost) {
  if (!ghost) return content;
  const grey = ghost.curves.filter(({ isQuiet }) => !isQuiet).map((curve, i) => ({ ...curve, name: i === 0 ? "pinned" : "", colour: "muted", dash: [5, 4], width: 1.6, alpha: 0.9 }));
  const own = content.curves.map((curve, i) => (i === 0 && !curve.name ? { ...curve, name: "now" } : curve));
  return { ...content, curves: [...grey, ...own] };
}

export class MotionMode {
  name = "motion";
  title = "Plots";
  #plots = new Map();
  #shown = [];
  #about = el("p", { class: "printed", hidden: "" });
  #box = el("div", { class: "plots" });
  /** Name of the gallery's scenario that is shown, if it is one. */
  example = "";
  /** The motion that the present one is compared with. */
  pinned = null;

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

  /** Plots by their titles, for a view that shows one of them. */
  get shown() {
    return this.#shown;
  }

  clear() {}

  update(motion) {
    const isFor = (panel) => panel.isFor(motion);
    const first = printed(this.example).filter(isFor);
    this.#about.hidden = first.length === 0;
    this.#about.textContent = `The ${first.length} panels of the printed figure, then the other plots.`;
    const shown = [...first, ...PANELS.filter((panel) => isFor(panel) && !first.includes(panel)), ...parameterPanels(motion)].map((panel) => this.#plot(panel));
    const isOther = shown.length !== this.#shown.length || shown.some((one, i) => one !== this.#shown[i]);
    if (isOther) this.#box.replaceChildren(...shown.map(({ plot }) => plot.element));
    this.#shown = shown;
    const ghost = this.pinned;
    for (const { panel, plot } of shown) plot.show(() => withGhost(panel.content(motion), ghost && panel.isFor(ghost) ? panel.content(ghost) : null));
  }

  time(motion, t) {
    for (const { panel, plot } of this.#shown) plot.point(() => panel.points(motion, t, motion.locate(t)));
  }
}
