/**
 * Browser storage that never throws. A browser may block storage (the property itself throws, or is null) and storage
 * may be full (`setItem` throws). A value that cannot be stored stays in memory until the document is unloaded.
 *
 * Nothing else in the shell uses `localStorage` or `sessionStorage`; `early.js` runs before modules and has its own
 * guard.
 */
class SafeStorage {
  readonly #open: () => Storage;
  readonly #inMemory = new Map<string, string>();

  constructor(open: () => Storage) {
    this.#open = open;
  }

  getItem(key: string): string | null {
    return this.#inMemory.get(key) ?? this.#attempt((storage) => storage.getItem(key)) ?? null;
  }

  /** Stores a value. One that does not fit removes the stored one: a spent token or a paid cart must not come back. */
  setItem(key: string, value: string): void {
    const isStored = this.#attempt((storage) => {
      storage.setItem(key, value);
      return true;
    });
    if (isStored) this.#inMemory.delete(key);
    else {
      this.removeItem(key);
      this.#inMemory.set(key, value);
    }
  }

  removeItem(key: string): void {
    this.#inMemory.delete(key);
    this.#attempt((storage) => storage.removeItem(key));
  }

  keys(): string[] {
    const stored = this.#attempt((storage) => Object.keys(storage)) ?? [];
    return [...new Set([...stored, ...this.#inMemory.keys()])];
  }

  /** Whether the key's value is lost with the document. */
  isInMemory(key: string): boolean {
    return this.#inMemory.has(key);
  }

  /** Whether the browser can store anything. */
  isAvailable(): boolean {
    const probe = "storage-probe";
    this.setItem(probe, probe);
    const isStored = !this.isInMemory(probe);
    this.removeItem(probe);
    return isStored;
  }

  #attempt<T>(access: (storage: Storage) => T): T | undefined {
    try {
      return access(this.#open());
    } catch {
      return undefined;
    }
  }
}

export const localStore = new SafeStorage(() => localStorage);
export const sessionStore = new SafeStorage(() => sessionStorage);
