/** What the shop says about a product, ready to display. */
export interface Product {
  id: string;
  name: string;
  url: string;
  picture: { src: string; alt: string; width: number; height: number };
  price: string;
  stock: { code: "in_stock" | "low_stock" | "out_of_stock"; label: string };
  /** The largest quantity that can be ordered; 0 if the product is sold out. */
  quantity_limit: number;
}

/** Why no product is shown. `invalid`: an attribute of the element; `unknown`: the shop has no such product. */
type Reason = "invalid" | "unknown" | "failed";

/** `message` is for the page's developer; the customer sees a text of their own. */
export class LoadError extends Error {
  constructor(
    readonly reason: Reason,
    message = "",
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export function parseShop(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new LoadError(
    "invalid",
    `The attribute "shop" must be an address like https://shop.example, not "${address}".`,
  );
}

export async function fetchProduct(shop: URL, id: string, signal: AbortSignal): Promise<Product> {
  if (id === "") throw new LoadError("invalid", 'The attribute "product" must name a product, like "nudgelight-one".');
  const response = await fetch(new URL(`/api/products/${encodeURIComponent(id)}/buy-button`, shop), {
    credentials: "omit",
    signal,
  }).catch((cause: unknown) => {
    const hint = `${shop.origin} can't be reached, or its SHOP_CORS_ORIGINS doesn't list ${location.origin}.`;
    throw new LoadError("failed", hint, { cause });
  });
  if (response.status === 404) throw new LoadError("unknown", `${shop.origin} has no product "${id}".`);
  if (!response.ok) throw new LoadError("failed", `${shop.origin} responded with status ${response.status}.`);
  return (await response.json()) as Product;
}

/** The shop's cart page, which asks before it adds anything. */
export function cartUrl(shop: URL, id: string, quantity: number): URL {
  return new URL(`/cart?add=${encodeURIComponent(id)}:${quantity}`, shop);
}
