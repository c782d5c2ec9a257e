import { localStore } from "../../../shared/storage";

const KEY = "singleKeyShortcuts";

/**
 * Whether single-key shortcuts are enabled. They interfere with speech input, so they can be turned off (WCAG 2.1.4).
 */
export function areShortcutsEnabled(): boolean {
  return localStore.getItem(KEY) !== "off";
}

export function setShortcuts(choice: "on" | "off"): void {
  if (choice === "on") localStore.removeItem(KEY);
  else localStore.setItem(KEY, choice);
}
