import type { Theme } from "./rust-frame";
import { localStore } from "./storage";

const KEY = "theme";

export function readTheme(): Theme {
  const stored = localStore.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Saves and applies the theme; `system` follows the device. `early.js` applies it before the first paint. */
export function chooseTheme(theme: Theme): void {
  const { dataset } = document.documentElement;
  if (theme === "system") {
    localStore.removeItem(KEY);
    delete dataset["theme"];
  } else {
    localStore.setItem(KEY, theme);
    dataset["theme"] = theme;
  }
}
