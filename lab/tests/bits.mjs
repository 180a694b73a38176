// A reply of the page against the JSON of the command line: every number, bit by bit.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A page that was built from other sources than the command line may lag behind it: numbers are not compared then. */
export const isStale = Boolean(process.env.LAB_STALE);

/** What `stiction run --json` prints for a scenario; a run that says of itself that it failed ends with 1, with its numbers. */
export function commandLine(text, sets = []) {
  if (isStale) return null;
  const args = ["run", "--json", "-", ...sets.flatMap((set) => ["--set", set])];
  const { status, stdout, stderr } = spawnSync(process.env.STICTION, args, { input: text, cwd: ROOT, maxBuffer: 1e9, encoding: "utf8" });
  assert.ok(status === 0 || status === 1, `stiction ended with ${status}: ${stderr}`);
  return JSON.parse(stdout);
}

/** What JSON writes as null is NaN or infinite. */
const same = (found, expected) => (expected === null ? !Number.isFinite(found) : Object.is(found, expected));

export function compareBits(name, reply, expected) {
  if (isStale) return;
  assert.equal(reply.title, expected.title, name);
  assert.deepEqual(reply.facts.map((fact) => fact.name), expected.facts.map((fact) => fact.name), name);
  reply.facts.forEach((fact, i) => assert.ok(same(fact.value ?? NaN, expected.facts[i].value) && fact.unit === expected.facts[i].unit, `${name}: ${fact.name}`));
  assert.deepEqual(reply.samples.map((column) => column.name), Object.keys(expected.samples), name);
  for (const column of reply.samples) {
    const values = expected.samples[column.name];
    assert.equal(column.values.length, values.length, `${name}: ${column.name}`);
    const wrong = values.findIndex((value, i) => !same(column.values[i], value));
    assert.equal(wrong, -1, `${name}: ${column.name}[${wrong}] is ${column.values[wrong]}, not ${values[wrong]}`);
  }
  assert.deepEqual(reply.events, expected.events, name);
  assert.deepEqual(reply.work, expected.work, name);
}
