import { readCart as readStored, type Cart } from "../../shared/rules";
import { localStore } from "../../shared/storage";
import { keepEarlierPrices } from "./earlier-prices";

const KEY = "cart";
const EMPTY: Cart = [];

let cachedText: string | null = null;
let cached: Cart = EMPTY;
const listeners = new Set<() => void>();

/**
 * The cart as it lies in browser storage, without what the rules can't read. The same text gives the same object, so
 * that React can compare it.
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
  keepEarlierPrices(readCart(), cart);
  localStore.setItem(KEY, JSON.stringify(cart));
  for (const listener of listeners) listener();
}

/** Whether the browser did not let the cart be stored: it then lasts as long as this document. */
export function isCartInMemory(): boolean {
  return localStore.isInMemory(KEY);
}

export function clearCart(): void {
  writeCart(EMPTY);
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
