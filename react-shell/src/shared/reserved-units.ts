import { readDraft } from "./draft";
import type { Cart } from "./rules";

/**
 * Units of a product that this tab's open payment reserves. The catalog's `available` excludes them, but this customer
 * can still buy them.
 */
export function reservedUnits(productId: string): number {
  const { open } = (readDraft("checkout") ?? {}) as { open?: { expiresAt: string; cart: Cart } };
  if (open === undefined || Date.now() >= Date.parse(open.expiresAt)) return 0;
  return open.cart.find((line) => line.id === productId)?.quantity ?? 0;
}
