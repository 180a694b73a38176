// Five lessons, each a scenario, what to do with it, and what to see.

import { el } from "./dom.js";

const LESSONS = [
  {
    title: "Why a stuck body creeps in other tools",
    example: "stick_slip",
    mode: "compare",
    say: "The block is driven, and rests twice in a period: exact Coulomb friction holds it at v = 0. Most tools replace the jump by a steep ramp. Move the width: the dashed curves never rest, they creep, and the table says how fast. No width is narrow enough for zero.",
  },
  {
    title: "Den Hartog's motion without stops",
    example: "den_hartog",
    say: "One period of the steady motion of an undamped oscillator. Raise mu: at a certain ratio of friction to load the block begins to rest at its turning points (orange). Den Hartog drew that limit in 1931; here every motion is found directly, without waiting for a transient.",
  },
  {
    title: "The spinning disc slides further",
    example: "spinning_disc",
    say: "Spin turns the friction of each point away from the direction of sliding, so the disc slides further. Lower the spin to 0 and watch the path shrink. Then look at the plots: whatever you do, sliding and spinning end together.",
  },
  {
    title: "Which width?",
    example: "stick_slip",
    mode: "compare",
    say: "How wide may a ramp be? It depends on what you ask for. Find the width at which the amplitude is right to 1 %, then look at the creep. `stiction tune` finds the widest width for a tolerance by itself.",
  },
  {
    title: "Stick-slip on a belt",
    example: "mass_on_belt",
    say: "Friction that falls with speed feeds the motion. The block rides on the belt until the spring pulls it off. Raise the belt's velocity: above a critical speed the stick phases vanish. Step from event to event with the arrows beside the time.",
  },
];

export class Tour {
  #at = -1;
  element = el("aside", { class: "tour card", hidden: "", "aria-label": "guided tour", "aria-live": "polite" });

  constructor(open) {
    this.open = open;
  }

  begin() {
    this.go(0);
  }

  go(at) {
    this.#at = at;
    const lesson = LESSONS[at];
    this.element.hidden = !lesson;
    if (!lesson) return;
    const button = (text, to, name = "") => el("button", { type: "button", class: name, onclick: () => this.go(to) }, text);
    this.element.replaceChildren(
      el("p", { class: "count" }, `Lesson ${at + 1} of ${LESSONS.length}`), el("h2", {}, lesson.title), el("p", {}, lesson.say),
      el("div", { class: "steps" }, button("End", -1, "quiet"), at > 0 ? button("Back", at - 1) : null, at + 1 < LESSONS.length ? button("Next lesson", at + 1, "primary") : button("Done", -1, "primary")));
    this.open(lesson.example, lesson.mode ?? "motion");
  }

  get count() {
    return LESSONS.length;
  }
}
