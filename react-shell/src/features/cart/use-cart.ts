import { useEffect, useSyncExternalStore } from "react";
import { refreshCart, type Cart, type Product } from "../../shared/rules";
import { readCart, subscribeToCart, writeCart } from "./cart-store";

export function useCart(): Cart {
  return useSyncExternalStore(subscribeToCart, readCart);
}

/** Prices and stock in the cart are copies for showing; whenever the catalogue has been read they are made fresh. */
export function useRefreshedCart(products: Product[]): void {
  useEffect(() => {
    const cart = readCart();
    if (cart.length > 0 && products.length > 0) writeCart(refreshCart(cart, products));
  }, [products]);
}
