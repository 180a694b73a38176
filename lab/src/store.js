// What a reload keeps: the scenario with its changes in this tab, the theme in this browser. A browser that refuses keeps nothing.

const SCENARIO = "stiction-lab scenario";
const THEME = "stiction-lab theme";

function quietly(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Keeps the state; `origin` is what the page was opened with. */
export function keep(origin, { text, source }, mode) {
  quietly(() => sessionStorage.setItem(SCENARIO, JSON.stringify({ origin, text, source, mode })));
}

/** The state that a page opened with the same origin had last. */
export function kept(origin) {
  const found = quietly(() => JSON.parse(sessionStorage.getItem(SCENARIO)));
  return found?.origin === origin && typeof found.text === "string" ? found : null;
}

export function keepTheme(theme) {
  quietly(() => localStorage.setItem(THEME, theme));
}

export function keptTheme() {
  return quietly(() => localStorage.getItem(THEME));
}
