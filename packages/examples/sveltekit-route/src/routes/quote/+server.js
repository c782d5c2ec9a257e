// POST /quote with { "product": "nudgelight-one", "quantity": 2, "address": { "country": "US", "state": "CA" } }
import { error, json } from "@sveltejs/kit";
import { createShop, ShopError } from "@nudgelight/client";
import { quoteFor } from "@nudgelight/core/tax";
import { env } from "$env/dynamic/private";

export async function POST({ request }) {
  // A setting of the server: the browser talks to this route alone.
  const shop = createShop({ baseUrl: env.SHOP });
  const { product: id, quantity, address } = await request.json().catch(() => error(400, "Send JSON."));
  try {
    const product = await shop.get("/api/products/{id}", { params: { path: { id } }, signal: request.signal });
    const { shipping_rates: shippingRates } = await shop.get("/api/config", { signal: request.signal });
    const lines = [{ price: product.price, weight: product.weight_pounds, quantity }];
    const quoted = quoteFor({ lines, address, rates: shippingRates });
    return json(quoted, { status: quoted.ok ? 200 : 422 });
  } catch (failure) {
    // A TypeError of the rules names the member of the body that has the wrong type.
    if (failure instanceof TypeError) error(400, failure.message);
    if (!(failure instanceof ShopError)) throw failure;
    error(failure.code === "NotFound" ? 404 : 502, failure.message);
  }
}
