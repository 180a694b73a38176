// Files out of the page, and files dropped on it.

/** Longest text that is opened (bytes); what the core refuses need not be read at all. */
export const LONGEST = 1_000_000;

export function download(name, content, type = "application/octet-stream") {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The curves of a plot as a table: two columns each, in full precision. */
export function csvOf({ x, y, curves }) {
  const cell = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const name = (axis, curve) => cell(`${curve.name ? `${curve.name}: ` : ""}${axis.label} (${axis.unit ?? "-"})`);
  const head = curves.flatMap((curve) => [name(x, curve), name(y, curve)]);
  const n = Math.max(0, ...curves.map((curve) => curve.x.length));
  const rows = Array.from({ length: n }, (_, i) => curves.flatMap((curve) => (i < curve.x.length ? [curve.x[i], curve.y[i]] : ["", ""])).join(","));
  return `${[head.join(","), ...rows].join("\n")}\n`;
}

/** The first two columns of numbers of a table, whose cells are separated by commas, semicolons, tabs or spaces; none if there are none. */
export function measured(text) {
  const rows = text.split(/\r?\n/).map((line) => line.trim().split(/\s*[,;\t]\s*|\s+/).map((cell) => (cell === "" ? NaN : Number(cell))));
  const full = rows.filter((row) => row.length >= 2 && Number.isFinite(row[0]) && Number.isFinite(row[1]));
  return full.length ? { x: Float64Array.from(full, (row) => row[0]), y: Float64Array.from(full, (row) => row[1]) } : null;
}

/** Opens what is dropped anywhere on the page. */
export function acceptDrops(open, refuse) {
  const hasFile = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => event.relatedTarget === null && document.body.classList.remove("dropping"));
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!hasFile(event)) return;
    event.preventDefault();
    read(event.dataTransfer.files[0], open, refuse);
  });
}

/** Reads a file that the user chose. */
export async function read(file, open, refuse) {
  if (!file) return;
  if (file.size > LONGEST) {
    refuse(`${file.name}: ${(file.size / 1e6).toFixed(1)} MB, but at most ${LONGEST / 1e6} MB are read`);
    return;
  }
  open(await file.text(), file.name);
}
