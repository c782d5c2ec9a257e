import { sessionStore } from "./storage";

const PREFIX = "draft:";

/** What was typed and not yet sent, kept for this tab: it survives a reload, Back, and a log-in in between. */
export function readDraft(name: string): unknown {
  const text = sessionStore.getItem(PREFIX + name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function keepDraft(name: string, value: unknown): void {
  sessionStore.setItem(PREFIX + name, JSON.stringify(value));
}

export function dropDraft(name: string): void {
  sessionStore.removeItem(PREFIX + name);
}

/** Addresses must not wait for the next person at this screen. */
export function forgetDrafts(): void {
  for (const key of sessionStore.keys()) {
    if (key.startsWith(PREFIX)) sessionStore.removeItem(key);
  }
}
