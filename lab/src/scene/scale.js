// The scale of a scene: fixed when a scenario opens, enlarged only when a motion would leave the picture, and then gradually.

/** Time of a change of scale (ms). */
const CHANGE = 350;

export class Scale {
  #from = 1;
  #to = 1;
  #since = -Infinity;
  #isSet = false;

  /** Another scenario: forget the scale. */
  forget() {
    this.#isSet = false;
  }

  /** A motion reaches so far. */
  show(reach) {
    const wanted = reach > 0 ? reach : 1;
    if (!this.#isSet) {
      // a motion without extent leaves the scale open for the next one
      this.#isSet = reach > 0;
      [this.#from, this.#to, this.#since] = [wanted, wanted, -Infinity];
    } else if (wanted > this.#to * (1 + 1e-9)) {
      this.#from = this.value;
      this.#to = 1.15 * wanted;
      this.#since = matchMedia("(prefers-reduced-motion: reduce)").matches ? -Infinity : performance.now();
    }
  }

  get isMoving() {
    return performance.now() - this.#since < CHANGE;
  }

  /** The reach that the picture shows now. */
  get value() {
    const part = Math.min(1, Math.max(0, (performance.now() - this.#since) / CHANGE));
    const eased = part * part * (3 - 2 * part);
    return this.#from * (this.#to / this.#from) ** eased;
  }
}
