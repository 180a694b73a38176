// The core of the page in node: every scenario of its menu gives the bits of the command line.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { decode } from "../src/engine.js";
import { fromLetters, toLetters } from "../src/letters.js";
import { transform } from "../src/plot/spectrum.js";
import { ticks } from "../src/plot/ticks.js";
import { plainTable } from "../src/schema.js";
import { placeOf, rangeOf, valueAt } from "../src/range.js";
import { toToml } from "../src/toml.js";
import { commandLine, compareBits } from "./bits.mjs";
import { tests as panels } from "./node-panels.mjs";

const page = readFileSync(process.env.LAB_PAGE ?? new URL("../../crates/stiction-lab/lab.html", import.meta.url), "utf8");
const part = (id) => page.match(new RegExp(`<script id="${id}" type="[^"]*">([^]*?)</script>`))[1];
const examples = JSON.parse(gunzipSync(fromLetters(part("examples-data"))).toString());
const module = await WebAssembly.compile(gunzipSync(fromLetters(part("core"))));

async function instance() {
  let core;
  const panicked = (at, n) => { throw new Error(Buffer.from(core.memory.buffer, at, n).toString()); };
  ({ exports: core } = await WebAssembly.instantiate(module, { page: { progress: () => 1, panicked } }));
  core.start();
  return (question) => {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const room = core.room(bytes.length);
    new Uint8Array(core.memory.buffer, room, bytes.length).set(bytes);
    core.ask();
    const at = core.answer_at();
    return decode(core.memory.buffer.slice(at, at + core.answer_length()));
  };
}

const tests = {
  async "every scenario of the menu gives the bits of the command line"() {
    const ask = await instance();
    for (const { name, text } of examples) {
      const reply = ask({ ask: "run", text });
      assert.ok(reply.ok, `${name}: ${JSON.stringify(reply.diagnostics)}`);
      compareBits(name, reply, commandLine(text));
    }
    console.log(`  ${examples.length} scenarios, all bits equal`);
  },

  "a new law has its stiffness and damping per newton of load"() {
    const schema = JSON.parse(readFileSync(new URL("../../crates/stiction-study/schema/scenario.schema.json", import.meta.url), "utf8"));
    const keys = (name) => Object.keys(plainTable(schema, schema.$defs[name])).sort();
    assert.deepEqual(keys("Lugre"), ["damping", "mu", "mu_static", "stiffness", "velocity"]);
    assert.deepEqual(keys("Jenkins"), ["mu", "stiffness"]);
    assert.deepEqual(keys("Iwan"), ["mu", "stiffness"]);
  },

  async "a tree written as TOML is the same scenario"() {
    const ask = await instance();
    for (const { name, text } of examples) {
      const { tree, scenario } = ask({ ask: "read", text });
      const again = ask({ ask: "read", text: toToml(tree) });
      assert.deepEqual(again.tree, tree, name);
      assert.deepEqual(again.scenario, scenario, name);
      // with all defaults filled in it is the same, too
      assert.deepEqual(ask({ ask: "read", text: toToml(scenario) }).scenario, scenario, name);
    }
  },

  async "odd texts and keys survive being written as TOML"() {
    const ask = await instance();
    for (const odd of ['"', "\\", "\n", "\t", "\u0000", "</script>", "ü€😀", "'''", "#"]) {
      const tree = { title: odd, system: { [odd]: { x: -0, y: 1e300, z: 2 ** 60 } } };
      const read = ask({ ask: "read", text: toToml(tree) }).tree;
      assert.deepEqual(read, tree, JSON.stringify(odd));
    }
  },

  "sliders give back what they are set to"() {
    for (const [key, value] of [["mass", 3], ["mu", 0.4], ["omega", 7.3], ["width", 1e-4], ["position", -2], ["phase", 1], ["samples", 2001]]) {
      const range = rangeOf({ key, value, unit: key === "mu" ? "-" : "m", path: ["system", "x", key], isWhole: key === "samples" });
      const back = valueAt(range, placeOf(range, value));
      assert.ok(range.from <= value && value <= range.to, key);
      assert.ok(Math.abs(back - value) <= 0.01 * (range.isLog ? value : range.to - range.from), `${key}: ${back}`);
    }
  },

  "bytes as letters come back, and end no script"() {
    for (let n = 0; n < 300; n += 1) {
      const bytes = Uint8Array.from({ length: n }, (_, i) => (i * i * 131 + n * 17) % 256);
      assert.deepEqual(fromLetters(toLetters(bytes)), bytes);
      assert.doesNotMatch(toLetters(bytes), /</);
    }
  },

  "ticks are round and inside"() {
    for (const [from, to] of [[0, 1], [-3.7, 12.2], [1e-9, 3e-9], [226, 251], [-1e7, 1e7]]) {
      const list = ticks(from, to, 6);
      assert.ok(list.length >= 3 && list.length <= 13, `${from} ${to}: ${list.length}`);
      assert.ok(list.every(({ value }) => value >= from - 1e-12 && value <= to + Math.abs(to) * 1e-12));
    }
  },

  "the transform of a sine has one line"() {
    const re = Float64Array.from({ length: 64 }, (_, i) => Math.sin((2 * Math.PI * 5 * i) / 64));
    const im = new Float64Array(64);
    transform(re, im);
    re.forEach((v, i) => assert.ok(Math.abs(Math.hypot(v, im[i]) - (i === 5 || i === 59 ? 32 : 0)) < 1e-10, String(i)));
  },
};

for (const [name, test] of Object.entries({ ...tests, ...panels(await instance(), examples) })) {
  await test();
  console.log(`ok  ${name}`);
}
