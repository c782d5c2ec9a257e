const PREFIX = "draft:";

/** What was typed and not yet sent, kept for this tab: it survives a reload, Back, and a log-in in between. */
export function readDraft(name: string): unknown {
  const text = sessionStorage.getItem(PREFIX + name);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function keepDraft(name: string, value: unknown): void {
  sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
}

export function dropDraft(name: string): void {
  sessionStorage.removeItem(PREFIX + name);
}

/** Addresses must not wait for the next person at this screen. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}
