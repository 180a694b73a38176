// The scenario as a text that can be edited.

import { el } from "../dom.js";

const PAUSE = 300; // ms after the last key

export class TextMode {
  name = "text";
  title = "TOML";
  #box = el("textarea", { spellcheck: "false", "aria-label": "scenario as TOML", autocomplete: "off", autocapitalize: "off" });
  #timer = 0;

  constructor(state) {
    this.state = state;
    this.element = el("div", { class: "mode" }, el("div", { class: "card text" }, this.#box));
    this.#box.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.state.open(this.#box.value), PAUSE);
    });
  }

  clear() {
    this.#box.value = this.state.text;
  }

  update() {
    if (document.activeElement !== this.#box) this.#box.value = this.state.text;
  }

  time() {}
}
