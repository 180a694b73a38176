// Small parts of the page beside the scenario: messages, theme, tabs, the hand on the scene, keys.

import { el } from "./dom.js";
import { plain } from "./hints.js";
import { keepTheme, keptTheme } from "./store.js";

export const $ = (id) => document.getElementById(id);

/** Errors that belong to no field, or none. */
export function report(diagnostics) {
  const box = $("errors");
  box.hidden = diagnostics.length === 0;
  const place = ({ key, line }) => [line ? `line ${line}` : "", key].filter(Boolean).join(", ");
  box.replaceChildren(...diagnostics.map((one) => el("p", {}, place(one) ? el("b", {}, `${place(one)}: `) : "", one.message, one.hint ? el("span", { class: "hint" }, plain(one.hint)) : null)));
}

export function busy(fraction) {
  $("busy").hidden = fraction === null;
  if (fraction !== null) $("bar").value = fraction;
}

/** A message for a few seconds. */
export function toast(text) {
  const box = $("toast");
  box.textContent = text;
  box.classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => box.classList.remove("on"), Math.max(2200, 60 * text.length));
}

/** The theme of last time, and the button that changes it. */
export function theme(redraw) {
  const last = keptTheme();
  if (last === "light" || last === "dark") document.documentElement.dataset.theme = last;
  $("theme").addEventListener("click", () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
    keepTheme(document.documentElement.dataset.theme);
    redraw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
}

/** One tab for each mode. */
export function tabs(modes, choose, present) {
  const bar = $("tabs");
  for (const one of modes) {
    const tab = el("button", { type: "button", role: "tab", id: `tab-${one.name}`, "aria-controls": `mode-${one.name}`, onclick: () => choose(one.name) }, one.title);
    one.element.id = `mode-${one.name}`;
    one.element.setAttribute("role", "tabpanel");
    one.element.setAttribute("aria-labelledby", tab.id);
    bar.append(tab);
    $("modes").append(one.element);
  }
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const next = modes[(modes.indexOf(present()) + step + modes.length) % modes.length];
    choose(next.name);
    $(`tab-${next.name}`).focus();
  });
}

/** The toolbar is in the header of a wide page, in a menu of a narrow one. */
export function fold(more) {
  const narrow = matchMedia("(max-width: 900px)");
  const home = $("tools").parentElement;
  const place = () => {
    if (narrow.matches) more.querySelector(".items").append($("tools"));
    else home.insertBefore($("tools"), more);
    more.hidden = !narrow.matches;
  };
  narrow.addEventListener("change", place);
  place();
}

/** The drawer with the parameters, on a phone. */
export function drawer() {
  const button = $("drawer");
  const show = (isOpen) => {
    document.body.classList.toggle("drawer", isOpen);
    button.setAttribute("aria-expanded", String(isOpen));
    button.textContent = isOpen ? "Close" : "Parameters";
    if (!isOpen) return;
    // the scene, which stays at the top once it is there, goes there to be seen beside the sliders
    const stage = $("stage");
    stage.style.position = "static";
    const top = stage.getBoundingClientRect().top + scrollY;
    stage.style.position = "";
    scrollTo({ top, behavior: "instant" });
  };
  button.addEventListener("click", () => show(!document.body.classList.contains("drawer")));
  return show;
}

/** Keys of the whole page. */
export function keys(state, player) {
  addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !isTyping) {
      event.preventDefault();
      if (event.shiftKey) state.redo();
      else state.undo();
    }
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === " " && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY") {
      event.preventDefault();
      player.toggle();
    }
    if (event.key === "." || event.key === ",") player.step(event.key === "." ? 1 : -1);
  });
}

/** The hand on the scene. `now` gives the present scene and motion. */
export function hand(now, player) {
  const canvas = $("scene");
  const where = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let isHeld = false;
  canvas.addEventListener("pointerdown", (event) => {
    isHeld = Boolean(now().scene?.pointer("down", ...where(event)));
    if (!isHeld) return;
    canvas.setPointerCapture(event.pointerId);
    player.pause();
    player.seek(now().motion.from);
  });
  canvas.addEventListener("pointermove", (event) => {
    const { scene, motion } = now();
    if (isHeld) {
      scene.pointer("move", ...where(event));
      player.seek(motion.from);
    } else canvas.style.cursor = scene?.pointer("over", ...where(event)) ? "grab" : "default";
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!isHeld) return;
    isHeld = false;
    now().scene.pointer("up", ...where(event));
    player.begin();
  });
}
