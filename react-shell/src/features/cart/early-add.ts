import { request } from "../../shared/api-client";
import { addToCart, type Product } from "../../shared/rules";
import { sessionStore } from "../../shared/storage";
import { readCart, writeCart } from "./cart-store";

/** The key in `early.js`, which records a press of Add to Cart before the shell has loaded. */
const KEY = "early-add";

interface EarlyAdd {
  slug: string;
  quantity: string;
}

/** Forgets the press: the shell repeats it on the page itself. */
export function forgetEarlyAdd(): void {
  sessionStore.removeItem(KEY);
}

/** Adds the product if the visitor has left its page since the press. A product that cannot be added is left out. */
export async function addEarly(): Promise<void> {
  const stored = sessionStore.getItem(KEY);
  if (stored === null || document.querySelector("#root [data-pressed]") !== null) return;
  forgetEarlyAdd();
  try {
    const { slug, quantity } = JSON.parse(stored) as EarlyAdd;
    const product = await request<Product>("GET", `/api/products/${encodeURIComponent(slug)}`);
    const result = addToCart(readCart(), product, Number(quantity));
    if (result.ok) writeCart(result.cart);
  } catch {
    // The visitor sees a cart without the product, and can add it.
  }
}
