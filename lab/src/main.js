// The page: state → core → scene, plots, numbers.

import { Controls } from "./controls.js";
import { colours, el, forgetColours, sized } from "./dom.js";
import { Engine } from "./engine.js";
import { Facts } from "./facts.js";
import { acceptDrops, download, read } from "./files.js";
import { fromLetters } from "./letters.js";
import { fromLink, toLink } from "./link.js";
import { CompareMode } from "./mode/compare.js";
import { MapMode } from "./mode/map.js";
import { MotionMode } from "./mode/motion.js";
import { ResponseMode } from "./mode/response.js";
import { TextMode } from "./mode/text.js";
import { Motion } from "./motion.js";
import { Player } from "./player.js";
import { LAW } from "./plot/panels.js";
import { Plot } from "./plot/plot.js";
import { toPython } from "./python.js";
import { BodyScene } from "./scene/body.js";
import { FieldScene } from "./scene/field.js";
import { LimitScene } from "./scene/limit.js";
import { LineScene } from "./scene/line.js";
import { State } from "./state.js";
import { Tour } from "./tour.js";

const $ = (id) => document.getElementById(id);
const json = (id) => JSON.parse($(id).textContent);
const begin = performance.now();

const [schema, examples] = await Promise.all(["schema", "examples-data"].map(async (id) => (await unzipped(id)).json()));
const state = new State();
const controls = new Controls($("controls"), schema, state);
const player = new Player();
const facts = new Facts();
const law = new Plot(LAW.title);
const scenes = { line: new LineScene(), body: new BodyScene(), field: new FieldScene() };

let engine;
let limit;
let modes;
let mode;
let motion = null;
let scene = null;
let isFirst = true;

/** What an element holds in compressed letters. */
async function unzipped(id) {
  const bytes = fromLetters($(id).textContent.trim());
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

const core = async () => WebAssembly.compile(await (await unzipped("core")).arrayBuffer());

/** Computes the present scenario and shows it. */
async function run({ isNew = false } = {}) {
  const asked = performance.now();
  if (isNew) controls.forget();
  const reply = await engine.ask({ ask: "run", text: state.text });
  if (!reply) return;
  busy(null);
  const tree = reply.tree;
  state.read(reply);
  if (tree || !reply.ok) controls.update();
  const homeless = controls.showErrors(reply.ok ? [] : reply.diagnostics);
  tell(homeless);
  $("stage").classList.toggle("stale", !reply.ok);
  buttons();
  mode.name === "text" && mode.update(motion);
  if (!reply.ok) return;
  show(reply, isNew);
  const ms = performance.now() - asked;
  Object.assign(window.lab, { reply, ms, runs: window.lab.runs + 1 });
  window.lab.onShown?.(ms);
}

function show(reply, isNew) {
  motion = new Motion(reply);
  $("title").textContent = reply.title || "Untitled scenario";
  document.title = `${reply.title || "Untitled"} – stiction lab`;
  scene = sceneOf(reply);
  $("stage").hidden = !scene;
  facts.show(reply);
  if (scene) {
    scene.show(reply.scenario, motion);
    $("scene").setAttribute("aria-label", scene.description);
    const colour = colours();
    $("legend").replaceChildren(...scene.legend(colour).map(([text, value]) => el("span", {}, el("i", { style: `background:${value}` }), text)));
    player.show(motion.from, motion.to, motion.events);
  }
  mode.update(motion);
  law.element.hidden = !LAW.isFor(motion);
  // drawn with the next frame, when another motion may have come
  const drawn = motion;
  if (!law.element.hidden) law.show(() => LAW.content(drawn));
  limit.element.hidden = !motion.isBody;
  if (motion.isBody) limit.update(state);
  if (isNew && scene) player.begin();
  else frame();
}

/** The scene that suits a reply; none for a response or a diagram. */
function sceneOf({ scenario }) {
  if (motion.isBody) return scenes.body;
  if (!motion.isMotion || motion.n === 0) return null;
  const told = motion.kind("position").length;
  const isRow = ["oscillator", "matrices", "chain"].some((kind) => scenario.system[kind]) && told === motion.n && told <= 12;
  return isRow ? scenes.line : scenes.field;
}

/** Draws the present time. */
function frame() {
  if (!motion || !scene) return;
  const { context, width, height } = sized($("scene"));
  if (width > 0 && height > 0) scene.draw(context, width, height, player.t);
  mode.time(motion, player.t);
  const [drawn, t, place] = [motion, player.t, motion.locate(player.t)];
  if (!law.element.hidden) law.point(() => LAW.points(drawn, t, place));
  if (motion.isBody) {
    // the surface is fixed to the body, friction is told in the axes of the plane
    const [fx, fy, mz, angle] = ["fx", "fy", "mz", "angle"].map((name) => motion.value(name, place));
    const [c, si] = [Math.cos(angle), Math.sin(angle)];
    limit.point([-(c * fx + si * fy), si * fx - c * fy, -mz]);
  }
}

/** Errors that belong to no field, or none. */
function tell(diagnostics) {
  const box = $("errors");
  box.hidden = diagnostics.length === 0;
  const place = ({ key, line }) => [line ? `line ${line}` : "", key].filter(Boolean).join(", ");
  box.replaceChildren(...diagnostics.map((one) => el("p", {}, place(one) ? el("b", {}, `${place(one)}: `) : "", one.message, one.hint ? el("span", { class: "hint" }, one.hint) : null)));
}

function busy(fraction) {
  $("busy").hidden = fraction === null;
  if (fraction !== null) $("bar").value = fraction;
}

function toast(text) {
  const box = $("toast");
  box.textContent = text;
  box.classList.add("on");
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => box.classList.remove("on"), 2200);
}

function buttons() {
  $("undo").disabled = !state.canUndo;
  $("redo").disabled = !state.canRedo;
}

function choose(name) {
  mode = modes.find((one) => one.name === name) ?? modes[0];
  for (const one of modes) {
    const tab = $(`tab-${one.name}`);
    const isOn = one === mode;
    tab.setAttribute("aria-selected", String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    one.element.hidden = !isOn;
  }
  if (motion) mode.update(motion);
  frame();
}

function tabs() {
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
    const next = modes[(modes.indexOf(mode) + step + modes.length) % modes.length];
    choose(next.name);
    $(`tab-${next.name}`).focus();
  });
}

function openExample(name, to) {
  const example = examples.find((one) => one.name === name);
  if (!example) return;
  $("examples").value = name;
  $("about").textContent = example.about;
  modes[0].example = name;
  state.open(example.text);
  if (to) choose(to);
}

function menu() {
  const select = $("examples");
  const groups = [...new Set(examples.map((one) => one.group))];
  select.append(...groups.map((group) => el("optgroup", { label: group }, ...examples.filter((one) => one.group === group).map((one) => el("option", { value: one.name }, one.title)))));
  select.addEventListener("change", () => openExample(select.value));
}

function openText(text, name) {
  $("about").textContent = name ? `Opened from ${name}.` : "";
  modes[0].example = "";
  $("examples").value = "";
  state.open(text);
}

async function copy(text, what) {
  window.lab.copied = text;
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    // no clipboard without permission: the user copies from a file
    download(what === "Python" ? "scenario.py" : what === "TOML" ? "scenario.toml" : "link.txt", text, "text/plain");
    toast(`${what} saved as a file`);
  }
}

function listen() {
  $("undo").addEventListener("click", () => state.undo());
  $("redo").addEventListener("click", () => state.redo());
  $("copy-toml").addEventListener("click", () => copy(state.text, "TOML"));
  $("copy-python").addEventListener("click", () => copy(toPython(state.tree), "Python"));
  $("copy-link").addEventListener("click", async () => {
    const link = await toLink(state.text, mode.name);
    history.replaceState(null, "", link);
    copy(link, "link");
  });
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", (event) => read(event.target.files[0], openText, toast));
  $("stop").addEventListener("click", () => {
    engine.cancel();
    busy(null);
  });
  $("theme").addEventListener("click", () => {
    const isDark = getComputedStyle(document.documentElement).colorScheme.includes("dark");
    document.documentElement.dataset.theme = isDark ? "light" : "dark";
    redraw();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  addEventListener("hashchange", async () => {
    const found = await fromLink(location.hash);
    if (found && found.text !== state.text) openText(found.text);
  });
  addEventListener("keydown", keys);
  acceptDrops(openText, toast);
  new ResizeObserver(() => requestAnimationFrame(frame)).observe($("scene"));
}

function redraw() {
  forgetColours();
  limit.forget();
  if (motion) show(motion.reply, false);
}

function keys(event) {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && event.target.type !== "range";
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !isTyping) {
    event.preventDefault();
    if (event.shiftKey) state.redo();
    else state.undo();
  }
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && event.target.tagName !== "BUTTON" && event.target.tagName !== "SUMMARY") {
    event.preventDefault();
    player.toggle();
  }
  if (event.key === "." || event.key === ",") player.step(event.key === "." ? 1 : -1);
}

/** The hand on the scene. */
function hand() {
  const canvas = $("scene");
  const where = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let isHeld = false;
  canvas.addEventListener("pointerdown", (event) => {
    isHeld = Boolean(scene?.pointer("down", ...where(event)));
    if (!isHeld) return;
    canvas.setPointerCapture(event.pointerId);
    player.pause();
    player.seek(motion.from);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (isHeld) {
      scene.pointer("move", ...where(event));
      player.seek(motion.from);
    } else canvas.style.cursor = scene?.pointer("over", ...where(event)) ? "grab" : "default";
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!isHeld) return;
    isHeld = false;
    scene.pointer("up", ...where(event));
    player.begin();
  });
  scenes.line.onDrag = (i, position) => {
    const [kind, system] = Object.entries(state.filled.system)[0];
    const path = ["system", kind, "initial", "position"];
    const present = system.initial?.position;
    const changes = kind === "oscillator" ? [[path, position]]
      : [[path, Array.from({ length: motion.n }, (_, k) => (k === i ? position : (present?.[k] ?? 0)))]];
    // the beginning is to be seen
    if (state.tree.analysis?.transient?.window) changes.push([["analysis", "transient", "window"], undefined]);
    if (!state.filled.analysis?.transient) return;
    state.set(changes);
  };
  scenes.body.onDrag = (velocity) => state.set([[["system", "body", "velocity"], velocity]]);
}

async function start() {
  window.lab = { state, player, examples, runs: 0, copied: "", panics: 0, get engine() { return engine; }, get mode() { return mode.name; }, get motion() { return motion; }, get scene() { return scene; }, choose, openText, openExample };
  menu();
  listen();
  hand();
  engine = new Engine(await core(), $("worker").textContent);
  engine.onProgress = (fraction, ms) => ms > 250 && busy(fraction);
  engine.onPanic = (text) => {
    window.lab.panics += 1;
    toast(`the core stopped and was started again: ${text}`);
  };
  limit = new LimitScene(engine);
  modes = [new MotionMode(player), new ResponseMode(engine, state), new CompareMode(engine, state, schema), new MapMode(engine, state, schema), new TextMode(state)];
  tabs();
  const tour = new Tour(openExample);
  $("side").prepend(facts.element);
  $("side").prepend(law.element, limit.element);
  document.body.append(tour.element);
  $("tour").addEventListener("click", () => tour.begin());
  $("transport").append(player.element);
  player.onTime = frame;
  state.onChange = run;
  const linked = await fromLink(location.hash);
  const given = json("scenario");
  window.lab.onShown = () => {
    if (!isFirst) return;
    isFirst = false;
    document.body.classList.add("ready");
    requestAnimationFrame(() => { window.lab.firstPicture = performance.now() - begin; window.lab.sinceNavigation = performance.now(); });
  };
  choose(linked?.mode ?? "motion");
  if (linked) openText(linked.text);
  else if (given) openText(given.text, given.name);
  else openExample("stick_slip");
}

start().catch((error) => {
  document.body.classList.add("ready");
  tell([{ key: "", message: `the page cannot start: ${error.message}`, hint: "it needs a browser of 2023 or later" }]);
});
