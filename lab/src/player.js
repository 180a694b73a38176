// Time: plays, pauses, scrubs, and steps from event to event.

import { el, icon, short } from "./dom.js";

/** At automatic speed a motion takes this long (s), unless real time is close to that. */
const SHOW = 12;
const SPEEDS = ["auto", "0.01", "0.1", "0.25", "0.5", "1", "2", "5", "10"];

export class Player {
  t = 0;
  #from = 0;
  #to = 1;
  #events = [];
  #isPlaying = false;
  #last = 0;
  #speed = "auto";
  #isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** Called with the time whenever it changes. */
  onTime = () => {};

  constructor() {
    const button = (label, name, act) => el("button", { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
    this.playButton = button("play", "play", () => this.toggle());
    this.slider = el("input", { type: "range", min: 0, max: 2000, step: 1, value: 0, "aria-label": "time", class: "time" });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.seek(this.#from + ((this.#to - this.#from) * Number(this.slider.value)) / 2000);
    });
    this.clock = el("output", { class: "clock" }, "t = 0 s");
    this.rateText = el("output", { class: "rate", title: "time of the picture over time of the motion" });
    this.eventText = el("output", { class: "event", "aria-live": "polite" });
    const speed = el("select", { "aria-label": "speed", title: "speed", onchange: (event) => { this.#speed = event.target.value; this.#tellRate(); } },
      ...SPEEDS.map((value) => el("option", { value }, value === "auto" ? "auto" : `×${value}`)));
    this.marks = el("div", { class: "marks", "aria-hidden": "true" });
    this.element = el("div", { class: "player", role: "group", "aria-label": "time" },
      button("to the previous event", "previous", () => this.step(-1)), this.playButton, button("to the next event", "next", () => this.step(1)),
      el("div", { class: "track" }, this.marks, this.slider), this.clock, speed, this.rateText, this.eventText);
  }

  /** Another motion. Its events are those that can be stepped to. */
  show(from, to, events) {
    const isNew = from !== this.#from || to !== this.#to;
    const part = this.#to > this.#from ? (this.t - this.#from) / (this.#to - this.#from) : 0;
    [this.#from, this.#to] = [from, to > from ? to : from + 1];
    this.#events = events.filter(({ t }) => t >= from && t <= to);
    if (isNew) this.t = from + Math.min(1, Math.max(0, part)) * (to - from);
    // stick and slip are drawn last, over the marks of reversals and corners
    const rank = ({ kind }) => (kind === "stick" ? 2 : kind === "slip" ? 1 : 0);
    const shown = this.#events.length > 400 ? [] : [...this.#events].sort((a, b) => rank(a) - rank(b));
    this.marks.replaceChildren(...shown.map((event) => el("i", { class: event.kind, style: `left:${(100 * (event.t - from)) / (this.#to - from)}%` })));
    this.#tellRate();
    this.#announce();
  }

  /** Time of the motion that passes in a second of the picture. */
  get rate() {
    const span = this.#to - this.#from;
    return this.#speed === "auto" ? (span > 1.5 && span < 20 ? 1 : span / SHOW) : Number(this.#speed);
  }

  #tellRate() {
    const { rate } = this;
    const factor = rate < 1 ? 1 / rate : rate;
    this.rateText.textContent = rate === 1 ? "real time" : `${short(factor, 2)} × ${rate < 1 ? "slower" : "faster"}`;
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  /** Plays, unless the user wants no motion. */
  begin() {
    this.t = this.#from;
    this.eventText.textContent = "";
    if (this.#isStill) this.#announce();
    else this.play();
  }

  toggle() {
    if (this.#isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    this.#button("pause");
    this.#last = performance.now();
    const frame = (now) => {
      if (!this.#isPlaying) return;
      this.#advance(Math.min(0.1, (now - this.#last) / 1000));
      this.#last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  pause() {
    this.#isPlaying = false;
    this.#button("play", "play");
  }

  #button(label) {
    this.playButton.replaceChildren(icon(label));
    this.playButton.title = label;
    this.playButton.setAttribute("aria-label", label);
  }

  #advance(seconds) {
    let t = this.t + this.rate * seconds;
    if (t > this.#to) t = this.#from;
    this.seek(t);
  }

  seek(t) {
    this.eventText.textContent = "";
    this.t = Math.min(this.#to, Math.max(this.#from, t));
    this.#announce();
  }

  /** To the next event, or the previous one. */
  step(direction) {
    this.pause();
    const tiny = 1e-12 * (this.#to - this.#from);
    const event = direction > 0 ? this.#events.find(({ t }) => t > this.t + tiny) : this.#events.findLast(({ t }) => t < this.t - tiny);
    if (!event) return this.seek(direction > 0 ? this.#to : this.#from);
    this.seek(event.t);
    this.eventText.textContent = `${event.kind}${this.#events.some(({ contact }) => contact > 0) ? `, contact ${event.contact}` : ""}, t = ${short(event.t, 8)} s`;
  }

  #announce() {
    const part = (this.t - this.#from) / (this.#to - this.#from);
    if (document.activeElement !== this.slider || this.#isPlaying) this.slider.value = String(Math.round(2000 * part));
    const span = this.#to - this.#from;
    const isOdd = this.#to >= 1e6 || span < 1e-3;
    this.clock.textContent = `t = ${isOdd ? short(this.t, 5) : this.t.toFixed(span < 1 ? 4 : span < 20 ? 3 : 1)} s`;
    this.slider.setAttribute("aria-valuetext", this.clock.textContent);
    this.onTime(this.t);
  }
}
