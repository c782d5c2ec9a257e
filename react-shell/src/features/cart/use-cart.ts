import { useEffect, useSyncExternalStore } from "react";
import { heldUnits } from "../../shared/held-units";
import { refreshCart, type Cart, type CartLine, type Product } from "../../shared/rules";
import { isCartInMemory, readCart, subscribeToCart, writeCart } from "./cart-store";

export function useCart(): Cart {
  return useSyncExternalStore(subscribeToCart, readCart);
}

/** False while the browser does not let the cart be stored. */
export function useIsCartStored(): boolean {
  return !useSyncExternalStore(subscribeToCart, isCartInMemory);
}

/** Prices and stock in the cart are copies for showing; whenever the catalogue has been read they are made fresh. */
export function useRefreshedCart(products: Product[]): void {
  useEffect(() => {
    const cart = readCart();
    if (cart.length === 0 || products.length === 0) return;
    writeCart(withHeldUnits(refreshCart(cart, products), products));
  }, [products]);
}

/** Units that this customer's open payment reserves are available to them. A withdrawn product is available to nobody. */
function withHeldUnits(cart: Cart, products: Product[]): Cart {
  const isSold = (line: CartLine) => products.some((product) => product.id === line.id);
  return cart.map((line) => (isSold(line) ? { ...line, available: line.available + heldUnits(line.id) } : line));
}
