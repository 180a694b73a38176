// Runs inside the worker: the core, one question at a time. This text is put into a Blob; it imports nothing.

/* global WebAssembly, self, performance */
let core = null;
let deadline = Infinity;
let reported = 0;
let panic = "";

const REPORT_EVERY = 100; // ms

const page = {
  progress(fraction) {
    const now = performance.now();
    if (now - reported > REPORT_EVERY) {
      reported = now;
      self.postMessage({ progress: fraction });
    }
    return now < deadline ? 1 : 0;
  },
  panicked(at, n) {
    panic = new TextDecoder().decode(new Uint8Array(core.memory.buffer, at, n));
  },
};

self.onmessage = async ({ data }) => {
  if (data.module) {
    const instance = await WebAssembly.instantiate(data.module, { page });
    core = instance.exports;
    core.start();
    self.postMessage({ ready: true });
    return;
  }
  const begin = performance.now();
  reported = begin;
  deadline = begin + data.limit;
  try {
    const question = new TextEncoder().encode(JSON.stringify(data.question));
    const at = core.room(question.length);
    new Uint8Array(core.memory.buffer, at, question.length).set(question);
    core.ask();
    const reply = core.memory.buffer.slice(core.answer_at(), core.answer_at() + core.answer_length());
    self.postMessage({ id: data.id, reply, ms: performance.now() - begin, isLate: performance.now() > deadline }, [reply]);
  } catch (error) {
    // after a panic the instance is of no more use: the page starts another
    self.postMessage({ id: data.id, panic: panic || String(error) });
  }
};
