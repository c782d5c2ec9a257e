import { reservedUnits } from "../../shared/reserved-units";
import { addToCart, quantityLimit, type Cart } from "../../shared/rules";
import type { CartLink, LinkedProduct } from "./cart-link";

/** What a cart link adds to a cart. */
export interface Addition {
  /** The cart with the products. */
  cart: Cart;
  added: LinkedProduct[];
  /** Why the rest is left out. */
  reasons: string[];
}

/** Adds as much of a link to a cart as the rules allow. */
export function additionTo(cart: Cart, link: CartLink): Addition {
  const addition: Addition = { cart, added: [], reasons: [] };
  for (const linked of link.products) addProduct(addition, linked);
  addition.reasons.push(...omissions(link));
  return addition;
}

function addProduct(addition: Addition, { product, quantity: wanted }: LinkedProduct): void {
  const available = product.available + reservedUnits(product.id);
  const limit = quantityLimit(available);
  const held = addition.cart.find(({ id }) => id === product.id)?.quantity ?? 0;
  const quantity = Math.min(wanted, Math.max(0, limit - held));
  if (quantity < wanted) addition.reasons.push(`${product.name}: ${shortage(available, limit, held)}`);
  if (quantity === 0) return;
  const result = addToCart(addition.cart, { ...product, available }, quantity);
  if (!result.ok) {
    addition.reasons.push(`${product.name}: ${result.error}`);
    return;
  }
  addition.cart = result.cart;
  addition.added.push({ product, quantity });
}

function shortage(available: number, limit: number, held: number): string {
  if (available <= 0) return "Sold out.";
  const most = available > limit ? `At most ${limit} per order.` : `Only ${available} left.`;
  return held === 0 ? most : `${most} Your cart already has ${held}.`;
}

/** The entries are not quoted: the text of a link is another site's, and not for the shop to say. */
function omissions({ unlisted, unreadable, omitted, products }: CartLink): string[] {
  const reasons: string[] = [];
  if (unlisted === 1) reasons.push("One product in the link isn’t available.");
  if (unlisted > 1) reasons.push(`${unlisted} products in the link aren’t available.`);
  if (unreadable === 1) reasons.push("One entry in the link couldn’t be read.");
  if (unreadable > 1) reasons.push(`${unreadable} entries in the link couldn’t be read.`);
  if (omitted > 0) {
    const limit = products.length + unlisted;
    reasons.push(`A link can add at most ${limit} products. The rest were left out.`);
  }
  return reasons;
}
