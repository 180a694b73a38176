// Unpacks the page's script and starts it.

import { fromLetters } from "./letters.js";

const bytes = fromLetters(document.getElementById("app").textContent.trim());
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const url = URL.createObjectURL(new Blob([await new Response(stream).text()], { type: "text/javascript" }));
await import(url);
URL.revokeObjectURL(url);
