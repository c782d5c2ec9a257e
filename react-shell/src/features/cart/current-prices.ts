import type { Cart } from "../../shared/rules";
import { listProducts } from "../../shared/products-api";
import { readCart, writeCart } from "./cart-store";

/** Updates the prices of these lines, and of the stored cart, from the catalog. */
export async function withCurrentPrices(lines: Cart): Promise<Cart> {
  const products = await listProducts(lines.map(({ id }) => id));
  const priced = (cart: Cart) =>
    cart.map((line) => ({ ...line, price: products.find((product) => product.id === line.id)?.price ?? line.price }));
  writeCart(priced(readCart()));
  return priced(lines);
}
