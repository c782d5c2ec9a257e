import type { Theme } from "./rust-frame";
import { localStore } from "./storage";

const KEY = "theme";

export function chosenTheme(): Theme {
  const stored = localStore.getItem(KEY);
  return stored === "light" || stored === "dark" ? stored : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStore.removeItem(KEY);
  else localStore.setItem(KEY, theme);
  applyTheme();
}

/** `system` leaves the decision to the device. A page begins with the chosen theme: early.js. */
function applyTheme(): void {
  const theme = chosenTheme();
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
