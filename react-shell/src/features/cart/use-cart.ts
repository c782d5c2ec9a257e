import { useEffect, useSyncExternalStore } from "react";
import { reservedUnits } from "../../shared/reserved-units";
import type { CartProducts } from "../../shared/root-data";
import { limitCartToStock, refreshCart, type Cart } from "../../shared/rules";
import { isCartInMemory, readCart, subscribeToCart, writeCart } from "./cart-store";

export function useCart(): Cart {
  return useSyncExternalStore(subscribeToCart, readCart);
}

/** Whether the cart is in browser storage rather than in memory only. */
export function useIsCartStored(): boolean {
  return !useSyncExternalStore(subscribeToCart, isCartInMemory);
}

/** Updates the cached prices and stock in the cart whenever its products are loaded. */
export function useCartRefresh(products: CartProducts): void {
  useEffect(() => {
    if (products.size > 0) writeCart(refreshed(readCart(), products));
  }, [products]);
}

/** Reduces quantities to the current stock, on a page that says so. */
export function useStockLimit(products: CartProducts): void {
  useEffect(() => {
    if (products.size > 0) writeCart(limitCartToStock(refreshed(readCart(), products)));
  }, [products]);
}

/**
 * Adds the units that this customer's open payment reserves. Unlisted products stay unavailable; a line that another tab
 * has added meanwhile is as current as its copy.
 */
function refreshed(cart: Cart, products: CartProducts): Cart {
  const listed = [...products.values()].filter((product) => product !== null);
  const lines = refreshCart(cart, listed);
  return cart.map((before, index) => {
    const line = lines[index];
    if (line === undefined || !products.has(line.id)) return before;
    return products.get(line.id) ? { ...line, available: line.available + reservedUnits(line.id) } : line;
  });
}
