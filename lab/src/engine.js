// The core behind the page: a worker that answers questions. Of several questions of one kind the newest counts.

/** Time after which a run is stopped by itself (ms); the command line has --max-time. */
export const TIME_LIMIT = 60_000;
/** A question that has run for less is waited for when a newer one comes, instead of starting another worker (ms). */
const PATIENCE = 80;

/** A reply of the core: its head, with the numbers that it refers to. */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const at = ([first, n]) => new Float64Array(buffer, 4 + length + 8 * first, n);
  for (const columns of [head.samples, head.instants]) {
    for (const column of columns ?? []) column.values = at(column.at);
  }
  for (const contact of head.contacts ?? []) {
    contact.velocity = at(contact.velocity);
    contact.coefficient = at(contact.coefficient);
  }
  for (const history of head.histories ?? []) {
    history.samples = at(history.samples);
    history.instants = at(history.instants);
  }
  if (head.mesh) head.mesh = at(head.mesh);
  return head;
}

export class Engine {
  #module;
  #source;
  #worker = null;
  #isReady = false;
  #waiting = new Map(); // kind → job, in the order of arrival
  #current = null;
  #next = 1;
  /** Called with the fraction done of a long run. */
  onProgress = () => {};
  /** Called when no question is left. */
  onIdle = () => {};
  /** Called with the text of a panic, after the worker has been replaced. */
  onPanic = () => {};

  constructor(module, source) {
    this.#module = module;
    this.#source = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.#start();
  }

  #start() {
    this.#worker?.terminate();
    this.#isReady = false;
    this.#worker = new Worker(this.#source);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.#hear({ id: this.#current?.id, panic: event.message });
    this.#worker.postMessage({ module: this.#module });
  }

  /** Asks; a newer question of the same kind makes the answer of this one `null`. */
  ask(question, { kind = question.ask, limit = TIME_LIMIT } = {}) {
    return new Promise((resolve) => {
      this.#waiting.get(kind)?.resolve(null);
      this.#waiting.delete(kind);
      this.#waiting.set(kind, { id: this.#next++, kind, question, limit, resolve });
      const running = this.#current;
      if (running?.kind === kind) {
        const since = performance.now() - running.begin;
        if (since > PATIENCE) this.cancel();
        else setTimeout(() => this.#current === running && this.#waiting.has(kind) && this.cancel(), PATIENCE - since);
      }
      this.#go();
    });
  }

  /** Gives up what runs. */
  cancel() {
    const job = this.#current;
    if (!job) return;
    this.#current = null;
    this.#start();
    job.resolve(null);
    if (this.#waiting.size === 0) this.onIdle();
    this.#go();
  }

  get isBusy() {
    return this.#current !== null;
  }

  #go() {
    if (!this.#isReady || this.#current || this.#waiting.size === 0) return;
    const [kind, job] = this.#waiting.entries().next().value;
    this.#waiting.delete(kind);
    this.#current = job;
    job.begin = performance.now();
    this.#worker.postMessage({ id: job.id, question: job.question, limit: job.limit });
  }

  #hear(data) {
    if (data.ready) {
      this.#isReady = true;
      this.#go();
      return;
    }
    if (data.progress !== undefined) {
      if (this.#current) this.onProgress(data.progress, performance.now() - this.#current.begin);
      return;
    }
    const job = this.#current;
    if (!job || data.id !== job.id) return;
    this.#current = null;
    if (data.panic) {
      this.#start();
      this.onPanic(data.panic);
      job.resolve({ ok: false, diagnostics: [{ key: "", message: data.panic, hint: PANIC_HINT }] });
    } else {
      const reply = decode(data.reply);
      reply.ms = data.ms;
      if (!reply.ok && data.isLate) reply.diagnostics = [late(job.limit)];
      job.resolve(reply);
    }
    if (this.#waiting.size === 0) this.onIdle();
    this.#go();
  }
}

const PANIC_HINT = "this is a mistake of stiction, not yours: please report it with the scenario that shows it";

function late(limit) {
  return {
    key: "",
    message: `stopped after ${limit / 1000} s, which is the most that this page takes`,
    hint: "ask for less, or run it by `stiction run`, which takes the time that it needs",
  };
}
