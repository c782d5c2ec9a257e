import { readDraft } from "./draft";
import type { Cart } from "./rules";

/**
 * Units of a product that the open payment of this tab reserves. The catalogue's `available` leaves them out, but they
 * are this customer's to buy.
 */
export function heldUnits(productId: string): number {
  const { open } = (readDraft("checkout") ?? {}) as { open?: { expiresAt: string; cart: Cart } };
  if (open === undefined || Date.now() >= Date.parse(open.expiresAt)) return 0;
  return open.cart.find((line) => line.id === productId)?.quantity ?? 0;
}
