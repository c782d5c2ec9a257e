// A Worker: GET /?product=nudgelight-one&quantity=2&state=CA
import { createShop, ShopError } from "@nudgelight/client";
import { quoteFor } from "@nudgelight/core/tax";

export default {
  async fetch(request, env) {
    const query = new URL(request.url).searchParams;
    try {
      return Response.json(await quote(createShop({ baseUrl: env.SHOP }), query));
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      return Response.json({ ok: false, error: error.message }, { status: error.code === "NotFound" ? 404 : 502 });
    }
  },
};

async function quote(shop, query) {
  const id = query.get("product") ?? "";
  const { price, weight_pounds: weight } = await shop.get("/api/products/{id}", { params: { path: { id } } });
  const { shipping_rates: rates } = await shop.get("/api/config");
  const lines = [{ price, weight, quantity: Number(query.get("quantity") ?? 1) }];
  return quoteFor({ lines, address: { country: "US", state: query.get("state") ?? "" }, rates });
}
