import { useEffect, useSyncExternalStore } from "react";
import { reservedUnits } from "../../shared/reserved-units";
import { refreshCart, type Cart, type CartLine, type Product } from "../../shared/rules";
import { isCartInMemory, readCart, subscribeToCart, writeCart } from "./cart-store";

export function useCart(): Cart {
  return useSyncExternalStore(subscribeToCart, readCart);
}

/** Whether the cart is in browser storage rather than in memory only. */
export function useIsCartStored(): boolean {
  return !useSyncExternalStore(subscribeToCart, isCartInMemory);
}

/** Updates the cached prices and stock in the cart whenever the catalog is loaded. */
export function useCartRefresh(products: Product[]): void {
  useEffect(() => {
    const cart = readCart();
    if (cart.length === 0 || products.length === 0) return;
    writeCart(withReservedUnits(refreshCart(cart, products), products));
  }, [products]);
}

/** Adds the units that this customer's open payment reserves. Unlisted products stay unavailable. */
function withReservedUnits(cart: Cart, products: Product[]): Cart {
  const isListed = (line: CartLine) => products.some((product) => product.id === line.id);
  return cart.map((line) => (isListed(line) ? { ...line, available: line.available + reservedUnits(line.id) } : line));
}
