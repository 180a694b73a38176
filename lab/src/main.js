// The page: state → core → scene, plots, numbers.

import { Controls } from "./controls.js";
import { colours, el, forgetColours, menu, short, sized } from "./dom.js";
import { Engine } from "./engine.js";
import { Facts } from "./facts.js";
import { acceptDrops, download, read } from "./files.js";
import { Gallery } from "./gallery.js";
import { Lessons } from "./lessons.js";
import { fromLetters } from "./letters.js";
import { fromLink, toLink } from "./link.js";
import { CompareMode } from "./mode/compare.js";
import { ExplainMode } from "./mode/explain.js";
import { MapMode } from "./mode/map.js";
import { MotionMode } from "./mode/motion.js";
import { ResponseMode } from "./mode/response.js";
import { SweepMode } from "./mode/sweep.js";
import { TextMode } from "./mode/text.js";
import { Motion } from "./motion.js";
import { $, busy, drawer, fold, hand, keys, report, tabs, theme, toast } from "./page.js";
import { Player } from "./player.js";
import { LAW } from "./plot/panels.js";
import { Plot } from "./plot/plot.js";
import { Present } from "./present.js";
import { toPython } from "./python.js";
import { LimitScene } from "./scene/limit.js";
import { elementsOf } from "./scene/plan.js";
import { makeScenes, planFor } from "./scene/scenes.js";
import { State } from "./state.js";
import { keep, kept } from "./store.js";

const json = (id) => JSON.parse($(id).textContent);
const begin = performance.now();
/** Time after the last change at which the state is kept for a reload (ms). */
const KEEP = 200;

const [schema, examples, lessonList] = await Promise.all(["schema", "examples-data", "lessons-data"].map(async (id) => (await unzipped(id)).json()));
const state = new State();
const controls = new Controls($("controls"), schema, state);
const player = new Player();
const facts = new Facts();
const law = new Plot(LAW.title);
const scenes = makeScenes();
const showDrawer = drawer();

let engine;
let limit;
let modes;
let mode;
let lessons;
let present;
let motion = null;
let scene = null;
let isFirst = true;
/** Whether the page shows another scenario than the one that is being computed. */
let isPending = false;
let origin = "";

/** What an element holds in compressed letters. */
async function unzipped(id) {
  const bytes = fromLetters($(id).textContent.trim());
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

const core = async () => WebAssembly.compile(await (await unzipped("core")).arrayBuffer());

/** Another scenario, undone or opened: nothing of the last one may stay beside it. */
function changeScenario() {
  isPending = true;
  controls.forget();
  $("controls").scrollTop = 0;
  modes[0].example = state.source.name;
  modes[0].pinned = null;
  $("pin").setAttribute("aria-pressed", "false");
  for (const one of modes) one.clear();
  player.eventText.textContent = "";
}

/** Computes the present scenario and shows it. */
async function run({ isNew = false } = {}) {
  const asked = performance.now();
  if (isNew) changeScenario();
  about();
  const { text } = state;
  const reply = await engine.ask({ ask: "run", text });
  if (!reply) return;
  busy(null);
  state.read(reply, text);
  if (reply.tree || !reply.ok) controls.update();
  const homeless = controls.showErrors(reply.ok ? [] : reply.diagnostics);
  // of a scenario that has never run the page shows nothing but its errors
  report(!reply.ok && isPending ? reply.diagnostics : homeless);
  $("stage").classList.toggle("stale", !reply.ok);
  $("main").classList.toggle("stale", !reply.ok);
  buttons();
  clearTimeout(run.timer);
  run.timer = setTimeout(() => keep(origin, state, mode.name), KEEP);
  if (mode.name === "text") mode.update(motion);
  if (!reply.ok) {
    failed(reply);
    return;
  }
  const isOpening = isPending;
  isPending = false;
  show(reply, isOpening);
  const ms = performance.now() - asked;
  Object.assign(window.lab, { reply, ms, runs: window.lab.runs + 1 });
  if (window.lab.runs === 1) compareFacts(reply);
  window.lab.onShown?.(ms);
  lessons.check(reply, window.lab.compared);
}

/** A scenario that cannot be run keeps its title; pictures of another one go. */
function failed(reply) {
  if (!isPending) return;
  motion = null;
  scene = null;
  $("title").textContent = reply.tree?.title || state.source.name || "Untitled scenario";
  $("stage").hidden = true;
  $("modes").hidden = mode.name !== "text";
  $("side").hidden = true;
}

/** The description of the scenario, which is that of the file and stays true of it only. */
function about() {
  const { about: text } = state.source;
  $("about").textContent = text ? `${text}${state.isChanged ? " (Describes the scenario as opened.)" : ""}` : "";
}

function show(reply, isNew) {
  motion = new Motion(reply);
  $("title").textContent = reply.title || "Untitled scenario";
  document.title = `${reply.title || "Untitled"} – stiction lab`;
  const { plan, isSketch } = planFor(motion);
  scene = scenes[plan.kind];
  $("modes").hidden = false;
  $("side").hidden = false;
  $("stage").hidden = false;
  facts.show(reply);
  scene.show(plan, motion, { isNew, isSketch });
  window.lab.plan = plan;
  $("scene").setAttribute("aria-label", scene.description);
  const colour = colours();
  $("legend").replaceChildren(...scene.legend(colour).map(([text, value]) => el("span", {}, el("i", value ? { style: `background:${value}` } : { class: "centre" }), text)));
  $("transport").hidden = isSketch;
  if (isSketch) player.pause();
  else player.show(motion.from, motion.to, motion.events);
  mode.update(motion);
  if (present.isOn) {
    if (mode !== modes[0]) modes[0].update(motion);
    present.update(motion);
  }
  law.element.hidden = !LAW.isFor(motion);
  // drawn with the next frame, when another motion may have come
  const drawn = motion;
  if (!law.element.hidden) law.show(() => LAW.content(drawn));
  limit.element.hidden = !motion.isBody;
  if (motion.isBody) limit.update(state, isNew);
  if (isNew && !isSketch) player.begin();
  else frame();
}

/** Draws the present time. */
function frame() {
  if (!motion || !scene) return;
  const { context, width, height } = sized($("scene"));
  if (width > 0 && height > 0) scene.draw(context, width, height, player.t);
  // while the scale changes, pictures follow each other also when time stands still
  if (scene.isMoving && !player.isPlaying) requestAnimationFrame(frame);
  if (!motion.isMotion || isPending) return;
  mode.time(motion, player.t);
  present.time(motion, player.t);
  const [drawn, t, place] = [motion, player.t, motion.locate(player.t)];
  if (!law.element.hidden) law.point(() => LAW.points(drawn, t, place));
  if (motion.isBody) {
    // the surface is fixed to the body, friction is given in the axes of the plane
    const [fx, fy, mz, angle] = ["fx", "fy", "mz", "angle"].map((name) => motion.value(name, place));
    const [c, si] = [Math.cos(angle), Math.sin(angle)];
    limit.point([-(c * fx + si * fy), si * fx - c * fy, -mz]);
  }
}

function buttons() {
  $("undo").disabled = !state.canUndo;
  $("redo").disabled = !state.canRedo;
  $("reset").disabled = !state.isChanged;
}

function choose(name) {
  mode = modes.find((one) => one.name === name) ?? modes[0];
  document.body.dataset.mode = mode.name;
  placeLimit();
  for (const one of modes) {
    const tab = $(`tab-${one.name}`);
    const isOn = one === mode;
    tab.setAttribute("aria-selected", String(isOn));
    tab.tabIndex = isOn ? 0 : -1;
    one.element.hidden = !isOn;
    // on a phone the row of tabs is longer than the screen
    if (isOn) $("tabs").scrollLeft = tab.offsetLeft - 0.5 * ($("tabs").clientWidth - tab.offsetWidth);
  }
  if (mode.name === "text") $("modes").hidden = false;
  // the motion of another scenario is not shown again; its successor is on the way
  if (motion && !isPending) mode.update(motion);
  frame();
}

/** The limit surface is the law of a body: beside its free body in Explain, else among the results. */
function placeLimit() {
  const home = mode.name === "explain" ? mode.side : $("side");
  if (limit.element.parentNode === home) return;
  if (home === mode.side) home.append(limit.element);
  else law.element.after(limit.element);
}

function openExample(name, to) {
  const example = examples.find((one) => one.name === name);
  if (!example) return;
  state.open(example.text, { name, about: example.about });
  if (to) choose(to);
}

/** A scenario from elsewhere; its first comment is its description. */
function openText(text, name) {
  const comment = text.slice(0, 4000).match(/^(#[^\n]*\n)+/)?.[0].replace(/^#+ ?/gm, "").replace(/\n/g, " ").trim() ?? "";
  state.open(text, { name: "", about: comment || (name ? `Opened from ${name}.` : "") });
}

/** The control of a lesson: a field of the panel by its key, or an element by its id. */
function reveal(control) {
  const isField = !control.startsWith("#");
  const found = isField ? controls.rowOf(control) : document.querySelector(control);
  if (matchMedia("(max-width: 780px)").matches) showDrawer(isField);
  found?.closest("details:not(.menu)")?.setAttribute("open", "");
  // the panel scrolls, the page only where the panel alone does not bring the field into sight
  if (isField && found) {
    const panel = $("controls");
    panel.scrollTop += found.getBoundingClientRect().top - panel.getBoundingClientRect().top - 0.5 * (panel.clientHeight - found.offsetHeight);
  }
  found?.scrollIntoView({ block: "nearest", behavior: "instant" });
  return isField ? found : (found?.closest("label") ?? found);
}

function openLesson(lesson) {
  scrollTo({ top: 0, behavior: "instant" });
  showDrawer(false);
  if (lesson.text) {
    state.open(lesson.text, { name: "", about: lesson.intro });
    choose(lesson.mode ?? "motion");
  } else openExample(lesson.example, lesson.mode ?? "motion");
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
  $("reset").addEventListener("click", () => state.reset());
  $("pin").addEventListener("click", () => {
    modes[0].pinned = modes[0].pinned ? null : motion;
    $("pin").setAttribute("aria-pressed", String(Boolean(modes[0].pinned)));
    toast(modes[0].pinned ? "this run stays in grey behind the next ones" : "the pinned run is gone");
    if (motion) mode.update(motion);
  });
  const item = (id, text, act) => el("button", { id, type: "button", onclick: act }, text);
  $("share").replaceWith(menu("Copy", "copy the scenario",
    item("copy-toml", "Copy TOML", () => copy(state.text, "TOML")), item("copy-python", "Copy Python", () => copy(toPython(state.tree), "Python")),
    item("copy-link", "Copy link", async () => {
      const link = await toLink(state.text, mode.name);
      history.replaceState(null, "", link);
      origin = location.hash;
      copy(link, "link");
    })));
  const more = menu("⋯", "more");
  more.id = "more";
  $("more").replaceWith(more);
  fold(more);
  $("open").addEventListener("click", () => $("file").click());
  $("file").addEventListener("change", (event) => read(event.target.files[0], openText, toast));
  $("stop").addEventListener("click", () => {
    engine.cancel();
    busy(null);
  });
  addEventListener("hashchange", async () => {
    const found = await fromLink(location.hash);
    if (found?.isDamaged) toast(DAMAGED);
    else if (found && found.text !== state.text) openText(found.text);
  });
  theme(redraw);
  keys(state, player);
  acceptDrops(openText, toast);
  new ResizeObserver(() => requestAnimationFrame(frame)).observe($("scene"));
}

const DAMAGED = "the link is damaged: the scenario in it cannot be read";

function redraw() {
  forgetColours();
  limit.forget();
  if (motion) show(motion.reply, false);
}

function drags() {
  scenes.line.onDrag = (i, position) => {
    const [kind, system] = Object.entries(state.filled.system)[0];
    const path = ["system", kind, "initial", "position"];
    const before = system.initial?.position;
    const changes = kind === "oscillator" ? [[path, position]]
      : [[path, Array.from({ length: motion.n }, (_, k) => (k === i ? position : (before?.[k] ?? 0)))]];
    // the beginning is to be seen
    if (state.tree.analysis?.transient?.window) changes.push([["analysis", "transient", "window"], undefined]);
    if (!state.filled.analysis?.transient) return;
    state.set(changes);
  };
  scenes.body.onDrag = (velocity) => state.set([[["system", "body", "velocity", 0], velocity[0]], [["system", "body", "velocity", 1], velocity[1]]]);
  hand(() => ({ scene, motion }), player);
}

/** The version of the core in the page, and whether the program that opened the page has a newer one. */
function version() {
  const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";
  const program = json("scenario")?.core ?? "";
  const isOlder = program && program !== meta("stiction-core");
  $("version").textContent = `Core ${meta("stiction-version")}, ${meta("stiction-core").slice(0, 8)}.`;
  if (!isOlder) return;
  $("version").textContent += ` The program that opened this page has core ${program.slice(0, 8)}: numbers here may differ from those of stiction run.`;
  toast("the core of this page is older than the program: numbers may differ from those of stiction run");
}

/** Compares the facts of the scenario that an outdated page was opened with to those of the program. */
function compareFacts(reply) {
  const { facts, text } = json("scenario") ?? {};
  if (!facts || text !== state.text) return;
  const own = new Map(reply.facts.map(({ name, value }) => [name, value]));
  const errors = facts.map(({ name, value }) => [name, value === (own.get(name) ?? null) ? 0 : Math.abs(own.get(name) - value) / Math.abs(value || 1)]);
  const [name, error] = errors.reduce((worst, one) => (one[1] <= worst[1] ? worst : one), ["", 0]);
  const found = error === 0 ? "The facts of this scenario agree to the last bit." : `The facts of this scenario differ by up to ${Number.isFinite(error) ? short(error, 2) : "a missing one"} (${name.replaceAll("_", " ")}).`;
  $("version").append(` ${found}`);
  toast(`the core of this page is older than the program. ${found}`);
}

function makeParts() {
  engine.onProgress = (fraction, ms) => ms > 250 && busy(fraction);
  engine.onIdle = () => busy(null);
  engine.onPanic = (text) => {
    window.lab.panics += 1;
    toast(`the core stopped and was started again: ${text}`);
  };
  controls.engine = engine;
  controls.say = toast;
  limit = new LimitScene(engine);
  modes = [new MotionMode(player), new ExplainMode(state), new ResponseMode(engine, state), new CompareMode(engine, state, schema), new SweepMode(engine, state, schema), new MapMode(engine, state, schema), new TextMode(state)];
  tabs(modes, choose, () => mode);
  lessons = new Lessons(lessonList, { open: openLesson, reveal, state });
  present = new Present({ stage: $("stage"), mode: modes[0], controls, player, redraw });
  const gallery = new Gallery(examples, engine, openExample);
  $("side").append(law.element, limit.element, facts.element);
  document.body.append(lessons.element, gallery.element, present.element);
  $("examples").addEventListener("click", () => gallery.show());
  $("lessons").addEventListener("click", () => lessons.begin());
  $("present").addEventListener("click", () => {
    if (mode !== modes[0]) choose("motion");
    present.enter(motion);
  });
  $("transport").append(player.element);
  player.onTime = frame;
  state.onChange = run;
  Object.assign(window.lab, { lessons, gallery, present, onProgress: () => lessons.check(window.lab.reply, window.lab.compared) });
}

/** Opens what the address, the program or the last visit says. */
async function openFirst() {
  const linked = await fromLink(location.hash);
  const given = json("scenario");
  origin = location.hash || given?.text || "";
  const last = kept(origin);
  choose(last?.mode ?? linked?.mode ?? "motion");
  if (last) {
    state.open(last.source.opened, last.source);
    if (last.text !== last.source.opened) state.open(last.text);
  } else if (linked && !linked.isDamaged) openText(linked.text);
  else if (given?.text) openText(given.text, given.name);
  else openExample("stick_slip");
  if (linked?.isDamaged) toast(DAMAGED);
}

async function start() {
  window.lab = {
    state, player, examples, controls, runs: 0, copied: "", panics: 0, compared: null, choose, openText, openExample, elementsOf, law,
    get engine() { return engine; }, get mode() { return mode.name; }, get modes() { return modes; }, get motion() { return motion; }, get scene() { return scene; },
  };
  listen();
  drags();
  engine = new Engine(await core(), $("worker").textContent);
  makeParts();
  version();
  window.lab.onShown = () => {
    if (!isFirst) return;
    isFirst = false;
    document.body.classList.add("ready");
    requestAnimationFrame(() => { window.lab.firstPicture = performance.now() - begin; window.lab.sinceNavigation = performance.now(); });
  };
  await openFirst();
}

start().catch((error) => {
  document.body.classList.add("ready");
  report([{ key: "", message: `the page cannot start: ${error.message}`, hint: "it needs a browser of 2023 or later" }]);
});
