import { readCart as readStored, type Cart } from "../../shared/rules";
import { localStore } from "../../shared/storage";
import { recordChanges } from "./line-changes";

const KEY = "cart";
const EMPTY: Cart = [];

let cachedText: string | null = null;
let cached: Cart = EMPTY;
const listeners = new Set<() => void>();

/**
 * Reads the cart from storage and drops invalid lines. The same text returns the same object (a stable snapshot for
 * `useSyncExternalStore`).
 */
export function readCart(): Cart {
  const text = localStore.getItem(KEY);
  if (text !== cachedText) {
    cachedText = text;
    cached = text === null ? EMPTY : readStored(text);
  }
  return cached;
}

export function writeCart(cart: Cart): void {
  recordChanges(readCart(), cart);
  localStore.setItem(KEY, JSON.stringify(cart));
  for (const listener of listeners) listener();
}

/** Whether the cart is in memory only, because the browser could not store it. It is lost with the document. */
export function isCartInMemory(): boolean {
  return localStore.isInMemory(KEY);
}

export function subscribeToCart(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) listener();
  };
  listeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}
