import type { Cart, CartLine } from "../../shared/rules";

/** Whether a line can be ordered. Sold-out and unlisted products stay in the cart, but are excluded from orders. */
export function isOrderable(line: CartLine): boolean {
  return line.available > 0;
}

/** The lines that totals and the checkout include. */
export function orderableLines(cart: Cart): Cart {
  return cart.filter(isOrderable);
}

/** The first line with fewer units available than ordered. */
export function firstUnderstockedLine(cart: Cart): CartLine | undefined {
  return orderableLines(cart).find((line) => line.quantity > line.available);
}
