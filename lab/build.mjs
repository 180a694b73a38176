// Puts the page together: core, scripts, style, schema and examples in one file that needs nothing else.
//
//   node lab/build.mjs CORE [OUT]      writes OUT, crates/stiction-lab/lab.html if absent; CORE is the core as WebAssembly or a page that holds one
//   node lab/build.mjs --stamp         prints the stamp of the sources
//
// LAB_TOOLS is a folder with zopfli, whose gzip is 4 % smaller than zlib's: 55 kB of the page.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { toLetters } from "./src/letters.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);
const text = (path) => readFileSync(join(root, path), "utf8");

/** Files below a folder with an ending, in the order of their names. */
function files(folder, ending) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => posix.join(entry.parentPath.slice(root.length + 1).replaceAll("\\", "/"), entry.name))
    .sort();
}

/** What the page is made of. */
function sources() {
  const crates = ["stiction", "stiction-study", "keyed", "stiction-lab"];
  return [
    ...crates.flatMap((crate) => [`crates/${crate}/Cargo.toml`, ...files(`crates/${crate}/src`, ".rs")]),
    ...files("crates/stiction-study/papers", ".toml"), ...readdirSync(join(root, "examples")).filter((name) => name.endsWith(".toml")).sort().map((name) => `examples/${name}`),
    "crates/stiction-study/schema/scenario.schema.json", "crates/stiction-study/schema/patch.schema.json", "lab/build.mjs", "lab/index.html", "lab/style.css", "lab/topics.json", ...files("lab/lessons", ".json"), ...files("lab/src", ".js"),
  ];
}

/** A hash of the sources: the page is fresh if it bears the same. */
export function stamp() {
  const hash = createHash("sha256");
  for (const path of sources()) hash.update(path).update("\0").update(text(path)).update("\0");
  return hash.digest("hex").slice(0, 32);
}

/** A hash of the sources of the core, FNV-1a of 64 bits: the program knows its own and compares (`crates/stiction-lab/build.rs`). */
export function coreStamp() {
  let hash = 0xcbf29ce484222325n;
  const crates = ["keyed", "stiction", "stiction-lab", "stiction-study"];
  for (const path of crates.flatMap((crate) => files(`crates/${crate}/src`, ".rs")).sort()) {
    for (const byte of readFileSync(join(root, path))) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

/** A script without its indentation and its lines of comment; no text of it goes over several lines. */
function slim(script) {
  const lines = script.split("\n").map((line) => line.trim());
  return lines.filter((line) => line && !/^(\/\/|\/\*\*.*\*\/$)/.test(line)).join("\n");
}

/** The modules as one script, each in a function of its own, in the order in which they need each other. */
function bundle(entry) {
  const done = new Map();
  const parts = [];
  const name = (path) => `$${path.replace(/^.*?src\//, "").replace(/\.js$/, "").replace(/[^a-z]/gi, "_")}`;
  const visit = (path) => {
    if (done.has(path)) return;
    done.set(path, false);
    const exported = [];
    const body = text(path)
      .replace(/^import (\{[^}]*\}) from "([^"]+)";$/gm, (_, names, from) => {
        const target = posix.join(dirname(path), from);
        if (done.get(target) === false) throw new Error(`${path} and ${target} need each other`);
        visit(target);
        return `const ${names} = ${name(target)};`;
      })
      .replace(/^export (async function|function|class|const) ([\w$]+)/gm, (_, kind, what) => {
        exported.push(what);
        return `${kind} ${what}`;
      });
    if (/^(import|export) /m.test(body)) throw new Error(`${path}: an import or export in another form`);
    // what the page begins with may wait for its data
    const [head, tail] = path === entry ? ["await (async () => {", "})();"] : ["(() => {", "})();"];
    parts.push(`const ${name(path)} = ${head}\n${body}\nreturn { ${exported.join(", ")} };\n${tail}`);
    done.set(path, true);
  };
  visit(entry);
  return slim(parts.join("\n"));
}

/** Scenarios of the gallery: title, topic, text, and the comment at the head of the file. */
function examples() {
  const topics = Object.entries(JSON.parse(text("lab/topics.json")));
  const topicOf = (name) => topics.find(([, names]) => names.some((own) => own === name || (own.endsWith("*") && name.startsWith(own.slice(0, -1)))))?.[0];
  const one = (group, path, stem = basename(path, ".toml")) => {
    const content = text(path);
    const comment = content.match(/^(#[^\n]*\n)+/)?.[0].replace(/^# ?/gm, "").replace(/\n/g, " ").trim() ?? "";
    // keys of the bibliography are read as name and year
    const about = comment.replace(/@([a-z])([a-z]+)(\d{4})/g, (_, first, rest, year) => `${first.toUpperCase()}${rest} ${year}`);
    const title = content.match(/^title = "(.*)"$/m)?.[1] ?? stem;
    return { name: stem, topic: topicOf(stem) ?? group, title, about, text: content };
  };
  const papers = files("crates/stiction-study/papers", ".toml").filter((path) => /^\[system/m.test(text(path)));
  const order = Object.entries(JSON.parse(text("lab/topics.json"))).flatMap(([, names]) => names);
  const rank = ({ name }) => { const at = order.indexOf(name); return at < 0 ? order.length : at; };
  return [
    ...sources().filter((path) => path.startsWith("examples/")).map((path) => one("Examples", path)),
    ...papers.map((path) => {
      const [, paper] = path.match(/paper-(\w)\//);
      return one(`Paper ${paper.toUpperCase()}`, path, `paper-${paper}-${basename(path, ".toml")}`);
    }),
  ].sort((a, b) => rank(a) - rank(b));
}

/** The lessons, in the order of their names. */
const lessons = () => files("lab/lessons", ".json").map((path) => ({ name: basename(path, ".json"), ...JSON.parse(text(path)) }));

/** Compressed letters, none of which can end a script element. Compression takes seconds, so its results are kept. */
async function zipped(content) {
  const folder = join(process.env.LAB_TOOLS, "zipped");
  const kept = join(folder, createHash("sha256").update(content).digest("hex"));
  if (existsSync(kept)) return readFileSync(kept, "utf8");
  const { gzipAsync } = createRequire(join(process.env.LAB_TOOLS, "package.json"))("@gfx/zopfli");
  const letters = toLetters(await gzipAsync(Buffer.from(content), {}));
  mkdirSync(folder, { recursive: true });
  writeFileSync(kept, letters);
  return letters;
}
const sha = (content) => `'sha256-${createHash("sha256").update(content).digest("base64")}'`;

const version = () => text("Cargo.toml").match(/^version = "(.*)"$/m)[1];

/** The core in compressed letters and the hash of its sources: of a file of WebAssembly, or of a page that was built before. */
async function coreOf(path) {
  if (!path.endsWith(".html")) return { core: await zipped(readFileSync(path)), coreStamp: coreStamp() };
  const built = readFileSync(path, "utf8");
  return { core: built.match(/<script id="core"[^>]*>([^<]*)</)[1], coreStamp: built.match(/name="stiction-core" content="([^"]*)"/)?.[1] ?? "" };
}

async function page(path) {
  const script = bundle("lab/src/boot.js").replaceAll("</script", "<\\/script");
  const policy = ["default-src 'none'", `script-src ${sha(script)} blob: 'wasm-unsafe-eval'`, "worker-src blob:", "style-src 'unsafe-inline'", "img-src data: blob:", "base-uri 'none'", "form-action 'none'"];
  const parts = {
    csp: policy.join("; "), stamp: stamp(), ...(await coreOf(path)), style: text("lab/style.css"), worker: text("lab/src/worker.js"), script,
    schema: await zipped(JSON.stringify(JSON.parse(text("crates/stiction-study/schema/scenario.schema.json")))), examples: await zipped(JSON.stringify(examples())),
    lessons: await zipped(JSON.stringify(lessons())), app: await zipped(bundle("lab/src/main.js")), version: version(),
  };
  return text("lab/index.html").replace(/@(\w+)@/g, (whole, key) => parts[key] ?? whole);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--stamp")) console.log(stamp());
  else {
    const content = await page(process.argv[2]);
    const out = process.argv[3] ?? join(root, "crates/stiction-lab/lab.html");
    writeFileSync(out, content);
    console.error(`${out}: ${(content.length / 1e3).toFixed(0)} kB, stamp ${stamp()}`);
  }
}
