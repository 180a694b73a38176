// The state in a link: the scenario, compressed, behind the # of the address. Nothing of it is sent anywhere.

/** Longest text that a link may unfold to. */
const LONGEST = 1_000_000;

export async function toLink(text, mode) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const base = location.href.replace(/#.*$/, "");
  return `${base}#${mode && mode !== "motion" ? `m=${mode}&` : ""}s=${letters.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}

/** The scenario in the address, and the mode of the page; `null` if there is none, `{ isDamaged }` if it cannot be read. */
export async function fromLink(hash) {
  const found = hash.match(/[#&]s=([A-Za-z0-9_-]*)/);
  if (!found) return null;
  try {
    const letters = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
    return { text, mode: hash.match(/[#&]m=([a-z]+)/)?.[1] };
  } catch {
    return { isDamaged: true };
  }
}

async function through(bytes, stream) {
  const writer = stream.writable.getWriter();
  writer.write(bytes).catch(() => {});
  writer.close().catch(() => {});
  const reader = stream.readable.getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
    if (length > LONGEST) throw new Error("too long");
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
