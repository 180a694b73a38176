// The scene that suits a scenario, and motions that stand still for sketches.

import { Motion } from "../motion.js";
import { BodyScene } from "./body.js";
import { FieldScene } from "./field.js";
import { LineScene } from "./line.js";
import { PadScene } from "./pad.js";
import { contactsIn, planOf } from "./plan.js";
import { RotorScene } from "./rotor.js";

export function makeScenes() {
  return { line: new LineScene(), rotor: new RotorScene(), pad: new PadScene(), field: new FieldScene(), body: new BodyScene() };
}

/** Plan of an outcome and whether it is only a sketch, as of a response. */
export function planFor(motion) {
  const { scenario } = motion.reply;
  const isReduced = motion.contacts.some(({ direction }) => direction.length === 0);
  // beside prescribed motions the core leaves out their degrees of freedom
  const isPrescribed = Boolean(Object.values(scenario.system)[0].prescribed);
  const contacts = isReduced || isPrescribed || !motion.contacts.length ? contactsIn(scenario) : motion.contacts;
  const plan = planOf(scenario, contacts);
  const count = motion.kind("position").length;
  // a motion of which only a part is reported is drawn as a field
  if (motion.isMotion && !motion.isBody && plan.masses && count !== plan.n) return { plan: { kind: "field", n: plan.n, system: plan.system, form: plan.form }, isSketch: false };
  return { plan, isSketch: !motion.isMotion };
}

/** A motion without time, for the sketch of a scenario. */
export function atRest(scenario) {
  return new Motion({ scenario, samples: [], events: [], contacts: contactsIn(scenario), facts: [], shown: {} });
}
