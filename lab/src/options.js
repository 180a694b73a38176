// Which choices the core would accept in the present scenario, and what else must change for them.

import { firstLoad } from "./loads.js";

/** The harmonic load that a motion or a response needs. */
const load = (kind) => [["system", kind, "force"], { amplitude: 1, omega: 1, ...(kind === "oscillator" ? {} : { dof: 0 }) }];

/** Ways to make a choice possible, each with its words; the first that the core accepts is taken. */
export function remedies({ filled, tree }, path) {
  const [kind, system] = Object.entries(filled.system ?? {})[0] ?? [];
  const hasLoad = Boolean(firstLoad(filled));
  const set = (value, ...at) => [["system", kind, ...at], value];
  const fixed = [["integrator"], { rk4: hasLoad ? { steps_per_period: 2000 } : { step: 1e-3 } }];
  const none = [["integrator"], undefined];
  const friction = system?.friction;
  const belt = friction && !Array.isArray(friction) && !friction.belt ? [set(1, "friction", "belt")] : [];
  const noForce = system?.force ? [set(undefined, "force")] : [];
  const transient = { duration: Math.max(1, filled.analysis?.transient?.duration ?? 20) };
  const all = [
    ["", []],
    ["the method is chosen automatically", [none]],
    ["the method is rk4", [fixed]],
    ["the method is adaptive", [[["integrator"], { adaptive: {} }]]],
    ["a harmonic load is added", hasLoad || !kind || kind === "body" ? null : [none, load(kind)]],
    ["the load is removed", noForce.length ? [none, ...noForce] : null],
    ["a belt is added", belt.length ? [none, ...belt] : null],
    ["a belt is added and the load removed", belt.length && noForce.length ? [none, ...belt, ...noForce] : null],
    ["the run has a duration in seconds", path[0] === "analysis" ? null : [none, [["analysis"], { transient }]]],
    ["contacts are elastic and the load removed", friction ? [...elastic(kind, friction), ...noForce] : null],
  ];
  return all.filter(([, changes]) => changes && changes.every(([at]) => at.join() !== path.join())).map(([words, changes]) => ({ words, changes, tree }));
}

/** Every Coulomb contact with a spring in series, which small vibrations stretch. */
function elastic(kind, friction) {
  const swap = ({ coulomb, ...rest }) => (coulomb ? { jenkins: { mu: coulomb.mu, stiffness: 10 }, ...rest } : rest);
  return [[["integrator"], undefined], [["system", kind, "friction"], Array.isArray(friction) ? friction.map(swap) : swap(friction)]];
}

/** Asks the core, one after the other; gives the first remedy that it accepts, or the reason why it accepts none. */
export async function possible(engine, state, path, changes, kind = "option") {
  let reason = "";
  for (const { words, changes: more } of remedies(state, path)) {
    const all = [...changes, ...more];
    const reply = await engine.ask({ ask: "read", text: state.textWith(all) }, { kind });
    if (!reply) return null;
    if (reply.ok) return { changes: all, words };
    reason ||= reply.diagnostics[0]?.message ?? "";
  }
  return { reason };
}
