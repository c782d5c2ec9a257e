import { listProducts } from "../../shared/products-api";
import type { CartProducts } from "../../shared/root-data";
import { readCart } from "./cart-store";

/** Loads the current products of the cart's lines. Fails silently: the cart then keeps its copies. */
export async function loadCartProducts(): Promise<CartProducts> {
  const ids = readCart().map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const products = await listProducts(ids).catch(() => undefined);
  return new Map(products && ids.map((id) => [id, products.find((product) => product.id === id) ?? null]));
}
