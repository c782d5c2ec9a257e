import { ownLine } from "./own-line";
import { localStore, sessionStore } from "./storage";

/** The text of the Schedule Lab: in this tab as it is, for later visits without the Wi-Fi password. */
const TEXT = "schedule-text";
/** The line from the home page that was there when the text was written. */
const LINE = "schedule-text-line";
const PASSWORD = /^([\t ]*password[\t ]*=).*$/gim;

export function saveText(text: string): void {
  sessionStore.setItem(TEXT, text);
  localStore.setItem(TEXT, text.replaceAll(PASSWORD, "$1"));
  localStore.setItem(LINE, ownLine() ?? "");
}

export function savedText(): string | undefined {
  return sessionStore.getItem(TEXT) ?? localStore.getItem(TEXT) ?? undefined;
}

/** The line that the visitor wrote on the home page after the saved text. */
export function newLine(): string | undefined {
  const line = ownLine();
  return line === localStore.getItem(LINE) ? undefined : line;
}
