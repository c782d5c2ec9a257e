import { localStore } from "../../shared/storage";

const KEY = "singleKeyShortcuts";

/** Whether single keys do something. Who speaks to their computer, or types by switch, has reason to turn them off. */
export function usesShortcuts(): boolean {
  return localStore.getItem(KEY) !== "off";
}

export function chooseShortcuts(choice: "on" | "off"): void {
  if (choice === "on") localStore.removeItem(KEY);
  else localStore.setItem(KEY, choice);
}
