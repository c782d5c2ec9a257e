import { sessionStore } from "./storage";

const PREFIX = "draft:";

/** Reads an unsent form. Drafts live in session storage: they survive a reload, Back and a login in between. */
export function readDraft(name: string): unknown {
  const text = sessionStore.getItem(PREFIX + name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function saveDraft(name: string, value: unknown): void {
  sessionStore.setItem(PREFIX + name, JSON.stringify(value));
}

export function deleteDraft(name: string): void {
  sessionStore.removeItem(PREFIX + name);
}

/** Deletes all drafts on logout: the next user of this browser must not see an address. */
export function clearDrafts(): void {
  for (const key of sessionStore.keys()) {
    if (key.startsWith(PREFIX)) sessionStore.removeItem(key);
  }
}
