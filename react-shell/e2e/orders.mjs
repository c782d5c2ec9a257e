/** @typedef {import("@playwright/test").Page} Page */

/**
 * Places one order for each name through the API, as the user who is logged in on this page. Returns the order IDs.
 *
 * @param {Page} page @param {string} product @param {string[]} names
 * @param {string} [paymentMethod] one of Stripe's test payment methods
 * @returns {Promise<string[]>}
 */
export function buysFor(page, product, names, paymentMethod = "pm_card_visa") {
  return page.evaluate(async ([light, people, card]) => {
    const token = localStorage.getItem("accessToken");
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    /** @param {string} path @param {object} [body] */
    async function call(path, body) {
      const init = body === undefined ? {} : { method: "POST", headers, body: JSON.stringify(body) };
      const response = await fetch(path, init);
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return response.json();
    }
    const { payments } = await call("/api/config");
    const { id } = await call(`/api/products/${encodeURIComponent(light)}`);
    const place = { line1: "12 Front St", city: "Los Angeles", state: "CA", postal_code: "90210", country: "US" };
    const ids = [];
    for (const name of people) {
      const { paymentIntent: intent } = await call("/api/payments/create-intent", {
        currency: "usd",
        shippingAddress: { name, address: place },
        items: [{ product_id: id, quantity: 1 }],
      });
      const paid = await fetch(`/test-stripe/v1/payment_intents/${intent.id}/confirm`, {
        method: "POST",
        headers: { authorization: `Bearer ${payments.publishable_key}` },
        body: new URLSearchParams({ client_secret: intent.client_secret, payment_method: card }),
      });
      if (!paid.ok) throw new Error(await paid.text());
      ids.push((await call("/api/orders", { paymentIntentId: intent.id })).orderId);
    }
    return ids;
  }, /** @type {[string, string[], string]} */ ([product, names, paymentMethod]));
}
