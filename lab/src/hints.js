// Hints of the core in the words of the page, which has menus in place of a file's tables and a program's options.

import { short } from "./dom.js";

/** A message with its powers of ten as on the rest of the page. */
export function readable(message) {
  return message.replace(/(?<![\w.])-?\d+(\.\d+)?e-?\d+/g, (number) => short(Number(number), 4));
}

/** A hint without TOML or options of the command line. */
export function plain(hint = "") {
  return hint
    .replace(/add \[analysis\.transient\] with duration = … \(s\)/g, "give a duration at Analysis")
    .replace(/\[integrator\.([\w-]+)\]/g, "the method $1 (at Integrator)")
    .replace(/\[analysis\.([\w-]+)\]/g, "the analysis $1 (at Analysis)")
    .replace(/, or raise the limit by --max-memory \(Python: max_memory\)/g, "")
    .replace(/(\w+) = \{ ?(\w+) = ([^}]*?) ?\}/g, "$1 with $2 $3")
    .replace(/(\w+) = \{\}/g, "$1")
    .replace(/\b(\w+) = ([\w.…-]+)/g, "$1 $2")
    .replace(/; a response compares laws by its own key.*$/, "")
    .replaceAll("`", "");
}
