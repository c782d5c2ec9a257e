// What the compiler must accept and reject. `npm run check` compiles this file.
import { createShop, ShopError } from "../dist/index.js";
import type { Schema } from "../dist/index.js";

const shop = createShop({ baseUrl: "https://shop.example" });

export async function typedResponses(): Promise<Schema<"Product">[]> {
  const product = await shop.get("/api/products/{id}", { params: { path: { id: "nudgelight-one" } } });
  const price: number = product.price;
  // @ts-expect-error -- a product has no weight in kilograms
  void product.weight_kilograms;
  const csv: string = await shop.get("/api/admin/orders.csv", { parseAs: "text" });
  await shop.post("/api/auth/logout", { body: { refreshToken: csv } });
  const products = await shop.get("/api/products", { signal: AbortSignal.timeout(1_000) });
  return price > 0 ? products : [product];
}

export async function wrongRequests(): Promise<void> {
  // @ts-expect-error -- no such path
  await shop.get("/api/product");
  // @ts-expect-error -- this path has no POST
  await shop.post("/api/config");
  // @ts-expect-error -- the id is missing
  await shop.get("/api/products/{id}");
  // @ts-expect-error -- the body has no refresh token
  await shop.post("/api/auth/logout", { body: {} });
  // @ts-expect-error -- the password is missing
  await shop.login({ username: "name@example.com" });
}

export function typedDetails(error: unknown): number {
  if (!(error instanceof ShopError)) return 0;
  if (error.is("InsufficientStockError")) return error.details.available;
  if (error.is("EditConflict")) return error.details.current.version;
  // @ts-expect-error -- no such code
  error.is("NoSuchCode");
  return error.retryAfter ?? error.status;
}
