import { ApiError, request } from "../../shared/api-client";
import { readCartLink, type Product } from "../../shared/rules";

/** The parameter of a cart link, as in `/cart?add=nudgelight-one:2`. */
const PARAMETER = "add";

export interface LinkedProduct {
  product: Product;
  quantity: number;
}

/** What a cart link asks for, and how many of its entries are left out. */
export interface CartLink {
  products: LinkedProduct[];
  /** Entries that are not listed products. */
  unlisted: number;
  unreadable: number;
  /** Entries beyond the limit of a cart. */
  omitted: number;
}

/** Loads the products of the cart link in a URL; null for a URL without one. */
export async function loadCartLink(url: string): Promise<CartLink | null> {
  const added = new URL(url).searchParams.getAll(PARAMETER);
  const { products, unreadable, omitted } = readCartLink(added.join(","));
  if (products.length + unreadable === 0) return null;
  const found = await Promise.all(products.map(({ name }) => findListedProduct(name)));
  const linked = products.flatMap(({ quantity }, index) => {
    const product = found[index];
    return product ? [{ product, quantity }] : [];
  });
  return { products: merged(linked), unlisted: products.length - linked.length, unreadable, omitted };
}

/** The query string of a URL without its cart link. */
export function withoutCartLink(search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(PARAMETER);
  return parameters.toString();
}

/** A listed product by slug, id or name. An administrator also gets hidden ones, which are not for sale. */
async function findListedProduct(name: string): Promise<Product | undefined> {
  try {
    const product = await request<Product>("GET", `/api/products/${encodeURIComponent(name)}`);
    return product.active ? product : undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status < 500 && error.status !== 429) return undefined;
    throw error;
  }
}

/** Adds up the quantities of a product that the link names in two ways. */
function merged(linked: LinkedProduct[]): LinkedProduct[] {
  const byId = new Map<string, LinkedProduct>();
  for (const { product, quantity } of linked) {
    const before = byId.get(product.id)?.quantity ?? 0;
    byId.set(product.id, { product, quantity: before + quantity });
  }
  return [...byId.values()];
}
