import { localStore } from "./storage";

/** The line that a visitor wrote for the lamp on the home page and took along. */
const KEY = "schedule-line";
/** The home page's editor takes as many. */
const MAX_LENGTH = 120;

export function keepOwnLine(line: string): void {
  localStore.setItem(KEY, line.slice(0, MAX_LENGTH));
}

export function ownLine(): string | undefined {
  const line = localStore.getItem(KEY)?.slice(0, MAX_LENGTH).trim();
  return line === "" ? undefined : line;
}
