// Plots, fields and the text of a scenario, from the replies of the core and without a browser.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { plain, readable } from "../src/hints.js";
import { isMet } from "../src/lessons.js";
import { Motion } from "../src/motion.js";
import { measured } from "../src/files.js";
import { parameterPanels } from "../src/plot/families.js";
import { ENERGY, energies, LAW, PANELS } from "../src/plot/panels.js";
import { ticks } from "../src/plot/ticks.js";
import { rangeOf } from "../src/range.js";
import { fields } from "../src/schema.js";
import { State } from "../src/state.js";

const schema = JSON.parse(readFileSync(new URL("../../crates/stiction-study/schema/scenario.schema.json", import.meta.url), "utf8"));

/** The tests; `ask` asks the core, `examples` are those of the page. */
export const tests = (ask, examples) => {
  const textOf = (name) => examples.find((one) => one.name === name).text;
  const motionOf = (text) => new Motion(ask({ ask: "run", text }));
  const fieldsOf = (text) => {
    const { tree, scenario } = ask({ ask: "read", text });
    return fields(schema, tree, scenario).flatMap((group) => group.items);
  };

  return {
    "families of a response are curves of their own, each with its name and colour"() {
      const amplitude = (name) => {
        const motion = motionOf(textOf(name));
        const panels = parameterPanels(motion);
        assert.deepEqual(panels.map(({ title }) => title).slice(0, 2), ["Amplitude", "Phase"]);
        return panels[0].content(motion).curves;
      };
      const laws = amplitude("compared_response");
      assert.deepEqual(laws.map(({ name }) => name), ["coulomb", "tanh, width 0.2 m/s", "tanh, width 0.02 m/s", "jenkins, stiffness 20 1/m"]);
      const loads = amplitude("damper_loads");
      assert.deepEqual(loads.map(({ name }) => name), ["contacts stuck", "without contacts", "load = 2 N", "load = 5 N", "load = 12 N", "load = 30 N"]);
      assert.deepEqual(loads.slice(0, 2).map(({ colour }) => colour), ["muted", "muted"]);
      for (const curves of [laws, loads.slice(2)]) {
        assert.equal(new Set(curves.map(({ colour }) => colour)).size, curves.length);
        // no line goes back from the end of one curve to the beginning of the next
        for (const { x } of curves) assert.ok(x.every((v, i) => i === 0 || v > x[i - 1]));
      }
      // amplitudes from 0.1 mm to 0.3 m
      const mode = motionOf(textOf("joint_mode"));
      assert.ok(parameterPanels(mode).every((panel) => panel.content(mode).x.isLog));
      const growth = motionOf(textOf("brake_stability"));
      assert.deepEqual(parameterPanels(growth).map(({ title }) => title), ["Growth rates of small motions", "Frequencies of small motions"]);
      assert.equal(parameterPanels(growth)[0].content(growth).curves.length, 2);
    },

    "blue and orange are not colours of curves"() {
      for (const name of ["stick_slip", "blocks_on_belt", "spinning_disc", "compared_response"]) {
        const motion = motionOf(textOf(name));
        for (const panel of [LAW, ...PANELS, ...parameterPanels(motion)].filter((one) => one.isFor(motion))) {
          for (const { colour } of panel.content(motion).curves) assert.ok(colour !== "slide" && colour !== "stick", `${name} ${panel.title}`);
        }
      }
    },

    "the time in which contacts stick in the scene is that of the facts"() {
      const compared = [];
      // a thousand blocks are drawn as a field, whose motion takes seconds
      for (const { name, text } of examples.filter((one) => /analysis\.(transient|steady)/.test(one.text) && one.name !== "thousand_blocks")) {
        const motion = motionOf(text);
        if (!motion.isMotion || motion.isBody || motion.m === 0 || motion.m > 12) continue;
        const fact = (key) => motion.reply.facts.find((one) => one.name === key)?.value;
        const own = Array.from({ length: motion.m }, (_, i) => motion.stickSpans(i).reduce((sum, [from, to]) => sum + to - from, 0) / (motion.to - motion.from));
        const mean = own.reduce((sum, part) => sum + part, 0) / motion.m;
        const pairs = fact("stick_fraction") === undefined ? own.map((part, i) => [part, fact(`stick_fraction_${i}`)]) : [[mean, fact("stick_fraction")]];
        for (const [part, stated] of pairs) {
          if (stated === undefined) continue;
          compared.push(name);
          assert.ok(Math.abs(part - stated) < 2e-3, `${name}: ${part} in the scene, ${stated} in the facts`);
        }
      }
      assert.ok(["bolted_joint", "elastic_contact", "stick_slip"].every((name) => compared.includes(name)) && compared.length > 40, String(compared.length));
      // a contact without normal load neither sticks nor slides
      const brake = motionOf(textOf("brake"));
      const colours = [0.35, 0.01].map((part) => { const t = brake.from + part * (brake.to - brake.from); return LAW.points(brake, t, brake.locate(t))[0].colour; });
      assert.deepEqual(colours, ["ink", "slide"]);
      // springs that never slip all together stick
      const iwan = motionOf(textOf("bolted_joint"));
      assert.ok(iwan.events.some(({ kind }) => kind === "one slider slips") && !iwan.events.some(({ kind }) => kind === "slip"));
    },

    "the graph of set-valued laws has static friction at rest"() {
      for (const [name, mu] of [["pid_hunting", 0.5], ["blocks_on_belt", 1], ["measured_stribeck", 0.155]]) {
        for (const { velocity, coefficient } of motionOf(textOf(name)).contacts) {
          const at = [...velocity].flatMap((v, i) => (v === 0 ? [coefficient[i]] : []));
          assert.deepEqual(at, [-mu, mu], name);
          assert.ok(velocity.every((v, i) => i === 0 || v >= velocity[i - 1]));
        }
      }
    },

    "energies hold that of nonlinear springs and what friction takes"() {
      for (const name of ["cubic_spring", "stick_slip", "two_masses", "spinning_disc", "conveyor_disc", "unbalanced_stool"]) {
        const motion = motionOf(textOf(name));
        const all = Object.fromEntries(energies(motion).map(([own, values]) => [own, values]));
        assert.equal("in springs" in all, !motion.isBody, name);
        if (name === "cubic_spring") assert.ok(Math.max(...all["in springs"]) > 0.01);
        const fact = motion.reply.facts.find((one) => one.name === "friction_loss").value;
        const lost = all["lost in friction"];
        assert.ok(Math.abs(lost.at(-1) - fact) < 1e-3 * Math.abs(fact), `${name}: ${lost.at(-1)} instead of ${fact}`);
        assert.ok(lost.every((e, i) => i === 0 || e >= lost[i - 1] - 1e-12 * Math.abs(fact)), name);
        assert.ok(ENERGY.isFor(motion));
      }
      // a system without springs has no energy in them
      assert.ok(energies(motionOf(textOf("pid_hunting"))).every(([name]) => name !== "in springs"));
    },

    "no line of the law's trace goes through the jump at rest"() {
      const texts = ["end_stops", "earthquake", "stick_slip", "backlash"].map((name) => [name, textOf(name)]);
      texts.push(["dragged", textOf("stick_slip").replace("[integrator.exact]", "initial.position = 3.3\n\n[integrator.exact]").replace("window = [18, 20]", "")]);
      for (const [name, text] of texts) {
        const motion = motionOf(text);
        const most = motion.largest("friction");
        for (const { x, y } of LAW.content(motion).curves.filter(({ isQuiet }) => isQuiet)) {
          let crossed = 0;
          for (let i = 1; i < x.length; i += 1) if (x[i] * x[i - 1] < 0 && Math.abs(y[i] - y[i - 1]) > 0.1 * most) crossed += 1;
          assert.equal(crossed, 0, name);
        }
      }
    },

    "captions say what is true of the scenario"() {
      const caption = (name, title) => {
        const motion = motionOf(textOf(name));
        return PANELS.find((panel) => panel.title === title).content(motion).caption;
      };
      assert.doesNotMatch(caption("free_decay", "Phase plane"), /period/);
      assert.match(caption("den_hartog", "Phase plane"), /one period/);
      assert.match(caption("spinning_disc", "Spin"), /end together/);
      assert.equal(caption("turntable_block", "Spin"), "");
      assert.equal(caption("mass_on_belt", "Hysteresis"), "");
      // a belt whose velocity varies is no load that does
      for (const [name, varies] of [["lugre_lag", false], ["varying_load", true], ["clutch", true], ["stick_slip", false]]) assert.equal(/load varies/.test(LAW.content(motionOf(textOf(name))).caption), varies, name);
    },

    "a changed number leaves the rest of the text, comments included"() {
      const state = new State();
      state.open(textOf("stick_slip"), { name: "stick_slip" });
      state.read(ask({ ask: "read", text: state.text }));
      state.set([[["system", "oscillator", "friction", "coulomb", "mu"], 0.25]]);
      assert.equal(state.text, textOf("stick_slip").replace("mu = 1.0 ", "mu = 0.25 "));
      // again before the core has answered, and a number that is longer
      state.set([[["system", "oscillator", "friction", "coulomb", "mu"], 0.123456]]);
      state.set([[["analysis", "transient", "window", 0], 17.5]]);
      state.set([[["system", "oscillator", "mass"], 2]]);
      const { scenario } = ask({ ask: "read", text: state.text });
      assert.deepEqual([scenario.system.oscillator.friction.coulomb.mu, scenario.analysis.transient.window, scenario.system.oscillator.mass], [0.123456, [17.5, 20], 2]);
      assert.match(state.text, /makes it harder to start/);
      // what is added is written anew, below the head of the file
      state.set([[["system", "oscillator", "friction", "viscous"], 0.1]]);
      assert.match(state.text, /^# A driven block/);
      for (let i = 0; i < 5; i += 1) state.undo();
      assert.equal(state.text, textOf("stick_slip"));
    },

    "every number of every example can be changed in its text"() {
      for (const { name, text } of examples) {
        const reply = ask({ ask: "read", text });
        const state = new State();
        state.open(text, { name });
        state.read(reply);
        const numbers = fields(schema, reply.tree, reply.scenario).flatMap((group) => group.items).filter((item) => item.type === "number" && item.isWritten && typeof item.value === "number");
        for (const item of numbers) {
          const value = item.isWhole ? item.value + 1 : 1.5 * item.value + 0.125;
          const changed = state.textWith([[item.path, value]]);
          const tree = ask({ ask: "read", text: changed }).tree;
          assert.equal(item.path.reduce((node, key) => node?.[key], tree), value, `${name} ${item.path.join(".")}`);
          assert.equal(changed.split("\n").length, text.split("\n").length, `${name} ${item.path.join(".")}: lines were lost`);
        }
      }
    },

    "fields have the units of their kind, numbers, headings and letters"() {
      const clutch = fieldsOf(textOf("clutch"));
      const find = (list, path) => list.find((item) => item.path.join(".") === path);
      assert.equal(find(clutch, "system.matrices.mass.0").unit, "kg m²");
      assert.equal(find(clutch, "system.matrices.mass.1").label, "mass 1");
      const velocity = find(clutch, "system.matrices.initial.velocity.0");
      assert.deepEqual([velocity.heading, velocity.unit, velocity.symbol], ["initial", "rad/s", "ω₀"]);
      assert.equal(find(clutch, "system.matrices.force.0.dof").isIndex, true);
      const block = fieldsOf(textOf("stick_slip"));
      assert.equal(find(block, "system.oscillator.friction.coulomb.mu").symbol, "μ");
      assert.equal(find(block, "system.oscillator.force.omega").symbol, "ω");
      assert.equal(find(block, "system.oscillator.initial.position").heading, "initial");
      assert.equal(find(fieldsOf(textOf("sliding_block")), "system.body.patch.shape.rectangle.width").symbol, "");
      assert.equal(find(fieldsOf(textOf("spinning_disc")), "system.body.velocity.1").label, "velocity y");
      // a signal has the unit of what it drives, a varied value that of its parameter
      const unit = (name, path) => find(fieldsOf(textOf(name)), path).unit;
      assert.equal(unit("shaker_response", "system.matrices.prescribed.position.amplitude"), "m");
      assert.equal(unit("earthquake", "system.oscillator.base.acceleration.noise.rms"), "m/s²");
      assert.equal(unit("valve_dwell", "system.oscillator.force.table.values"), "N");
      assert.equal(unit("clutch", "system.matrices.friction.load_varies.table.values.0"), "N m");
      assert.equal(unit("lugre_lag", "system.oscillator.friction.belt_varies.amplitude"), "m/s");
      assert.deepEqual([0, 2].map((i) => unit("cubic_spring", `system.oscillator.spring.polynomial.${i}`)), ["N/m", "N/m³"]);
      assert.deepEqual([unit("frequency_response", "analysis.response.from"), unit("damper_loads", "analysis.response.overlay.values.0"), unit("fault_stability", "analysis.stability.to")], ["rad/s", "N", "N/m"]);
      // moments of inertia, and what is a list or one number
      assert.deepEqual([find(clutch, "system.matrices.mass.0").symbol, find(fieldsOf(textOf("blade_damper")), "system.beam.inertia").symbol], ["J", "I"]);
      assert.equal(find(fieldsOf(textOf("drill_string")), "system.chain.damping.modal").type, "number");
      for (const { name, text } of examples) {
        // of two fields with one name in a group each has a heading of its own
        const { tree, scenario } = ask({ ask: "read", text });
        for (const group of fields(schema, tree, scenario)) {
          const names = group.items.filter(({ type }) => type === "number").map(({ heading, label, key }) => `${heading} ${label ?? key}`);
          assert.equal(new Set(names).size, names.length, `${name}, ${group.title}: ${names}`);
        }
      }
    },

    "a belt's slider reaches speeds at which stick ends"() {
      const belt = fieldsOf(textOf("mass_on_belt")).find(({ key }) => key === "belt");
      assert.ok(rangeOf(belt).to >= 2.2);
    },

    "numbers of an axis are at least two and of one form"() {
      for (const [from, to, n] of [[0.21, 0.29, 1], [-1.3, 1.1, 1], [1e-4, 9e-4, 5], [-2.2e-4, 2.2e-4, 4], [226, 251, 1.2], [0, 7e5, 3]]) {
        const list = ticks(from, to, n);
        assert.ok(list.length >= 2, `${from} ${to}`);
        assert.equal(new Set(list.filter(({ value }) => value !== 0).map(({ text }) => text.match(/·.*$/)?.[0] ?? "")).size, 1, list.map(({ text }) => text).join());
        assert.ok(list.every(({ text }) => !text.includes("e")));
      }
      assert.deepEqual(ticks(8e-5, 0.3, 4, true).map(({ text }) => text), ["10⁻⁴", "10⁻³", "10⁻²", "10⁻¹"]);
      assert.deepEqual(ticks(0.5, 40, 4, true).map(({ text }) => text), ["1", "10"]);
    },

    "hints are in the words of the page, and measured tables are read"() {
      for (const hint of ["use [integrator.exact] or [integrator.adaptive]", "add [analysis.transient] with duration = … (s)", "ask for less, or raise the limit by --max-memory (Python: max_memory)", "reduce the model by reduce = { modes = 10 }, or find the motions by harmonic_balance = {}"]) {
        assert.doesNotMatch(plain(hint), /[[\]{}`=]|--/, plain(hint));
      }
      // the powers of ten of a message are those of the page
      assert.equal(readable("the friction force reaches -1.632717e0 N, 2.6e-2 of 1e-12 J at paper-e-2 and 400"), "the friction force reaches −1.633 N, 0.026 of 1·10⁻¹² J at paper-e-2 and 400");
      assert.equal(measured("a,b\n,"), null);
      assert.deepEqual([...measured("t;x\n1;2\n3 4\n5,6,7\n").y], [2, 4, 6]);
    },

    "the place of the right answer differs from lesson to lesson"() {
      const folder = new URL("../lessons/", import.meta.url);
      const lessons = readdirSync(folder).map((name) => JSON.parse(readFileSync(new URL(name, folder), "utf8")));
      assert.ok(lessons.length >= 8 && new Set(lessons.map(({ predict }) => predict.answer)).size === 3);
      assert.ok(lessons.every(({ predict }) => predict.options[predict.answer]));
    },

    "a lesson's condition is met by numbers only"() {
      const given = { reply: { facts: [{ name: "a", value: 0.5 }, { name: "none", value: null }] }, compared: { rows: [{ creep: 0.1 }] }, tree: { x: [{ y: 3 }] } };
      assert.ok(isMet({ fact: "a", at_most: 0.5 }, given) && !isMet({ fact: "a", at_least: 0.6 }, given) && !isMet({ fact: "none" }, given) && !isMet({ fact: "other" }, given));
      assert.ok(isMet({ value: "x.0.y", at_least: 3 }, given) && isMet({ compare: "creep", at_most: 0.2 }, given) && !isMet({ compare: "creep" }, { ...given, compared: null }));
    },
  };
};
