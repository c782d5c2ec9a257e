import { request } from "../../shared/api-client";
import type { Cart, Product } from "../../shared/rules";
import { readCart, writeCart } from "./cart-store";

/** These lines at the catalogue's prices of this moment, which the stored cart takes as well. */
export async function atCurrentPrices(lines: Cart): Promise<Cart> {
  const products = await request<Product[]>("GET", "/api/products");
  const priced = (cart: Cart) =>
    cart.map((line) => ({ ...line, price: products.find((product) => product.id === line.id)?.price ?? line.price }));
  writeCart(priced(readCart()));
  return priced(lines);
}
