// Harmonic loads of a scenario.

/** The first harmonic load: its angular frequency and the key of it; none if there is none. */
export function firstLoad(filled) {
  const system = Object.values(filled.system ?? {})[0] ?? {};
  for (const key of ["force", "base"]) {
    const all = [system[key] ?? []].flat();
    const i = all.findIndex((load) => load.omega > 0);
    if (i >= 0) return { omega: all[i].omega, parameter: Array.isArray(system[key]) ? `${key}.${i}.omega` : `${key}.omega` };
  }
  return null;
}
