// The elements that the scene of a scenario must show, counted from its tables alone.

const many = (value) => (value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]);

/** Entries of a matrix that is written as a number, a diagonal or rows. */
function entries(matrix, n) {
  if (typeof matrix === "number") return [[matrix]];
  if (!Array.isArray(matrix)) return null;
  return Array.isArray(matrix[0]) ? matrix : Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? matrix[i] : 0)));
}

function ties(word, matrix, n) {
  const rows = entries(matrix, n) ?? [];
  const found = [];
  rows.forEach((row, i) => {
    const [sum, most] = [row.reduce((a, b) => a + b, 0), Math.max(...row.map(Math.abs))];
    if (Math.abs(sum) > 1e-9 * most) found.push(`${word} -1 ${i}`);
    row.forEach((value, j) => { if (j < i && value !== 0) found.push(`${word} ${j} ${i}`); });
  });
  return found;
}

const placesOf = ({ dof, direction, node }, n) => (direction ? direction.flatMap((w, i) => (w === 0 ? [] : [i])) : dof !== undefined ? [dof] : node === "all" ? [...Array(n).keys()] : many(node ?? 0));

/** Names of the elements, each once; `null` of a system that is drawn as a field or from above. */
export function expected(scenario) {
  const [kind, system] = Object.entries(scenario.system)[0];
  const n = { oscillator: 1, matrices: system.mass?.length, chain: system.masses }[kind];
  if (!n || n > 12) return null;
  const prescribed = many(system.prescribed).flatMap((one) => placesOf(one, n));
  const word = system.kind === "rotation" ? "rotor" : "mass";
  const frictions = many(system.friction).flatMap((one) => (one.direction ? [0] : placesOf(one, n)));
  const loads = [...new Set(many(system.force).flatMap((one) => placesOf(one, n)))].sort((a, b) => a - b);
  const chain = kind === "chain" ? [...Array(n).keys()].flatMap((i) => (i > 0 ? [`spring ${i - 1} ${i}`] : system.left === "free" ? [] : ["spring -1 0"])) : [];
  return [
    ...Array.from({ length: n }, (_, i) => `${prescribed.includes(i) ? "prescribed" : word} ${i}`),
    ...(kind === "chain" ? chain : [...ties("spring", system.stiffness, n), ...ties("damper", system.damping, n)]),
    ...many(system.spring).map((_, k) => `nonlinear spring ${k}`), ...many(system.stop).map((_, k) => `stop ${k}`),
    ...frictions.map((_, c) => `contact ${c}`), ...loads.map((i) => `load ${i}`),
    ...[...many(system.control), ...many(system.state_space)].map((_, k) => `controller ${k}`), ...(many(system.base).length ? ["base"] : []),
    ...(word === "mass" && many(system.friction).some(({ belt, belt_varies: varies }) => belt || varies) ? ["belt"] : []),
  ].sort();
}
