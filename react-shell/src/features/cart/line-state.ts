import type { Cart, CartLine } from "../../shared/rules";

/** A sold-out or withdrawn product stays in the cart, where its owner sees what became of it, but is not ordered. */
export function isOrderable(line: CartLine): boolean {
  return line.available > 0;
}

/** The lines that an order is made of: what the totals count and the checkout asks for. */
export function orderableLines(cart: Cart): Cart {
  return cart.filter(isOrderable);
}

/** The first line of which fewer units are left than the cart has. */
export function firstShortLine(cart: Cart): CartLine | undefined {
  return orderableLines(cart).find((line) => line.quantity > line.available);
}
