import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { Stripe } from "stripe";
import { test as base } from "./fixtures.mjs";
import { openShop } from "./shop.mjs";

/**
 * @typedef {import("./shop.mjs").Shop} Shop
 * @typedef {import("@playwright/test").PlaywrightTestArgs & import("@playwright/test").PlaywrightTestOptions} TestArgs
 * @typedef {import("@playwright/test").PlaywrightWorkerArgs & import("@playwright/test").PlaywrightWorkerOptions} WorkerArgs
 */

/** @type {import("@playwright/test").Fixtures<{}, { provider: Shop, shop: Shop, stripe: Stripe }, TestArgs, WorkerArgs>} */
const fixtures = {
  /** The shop whose mock Stripe is the payment provider. */
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
    async ({}, use, { project, workerIndex }) => {
      const provider = await openShop({}, join(project.outputDir, `provider-${workerIndex}.log`));
      await use(provider);
      await provider.close();
    },
    { scope: "worker" },
  ],
  /** A shop with Stripe keys, whose `STRIPE_API_BASE` is the provider. It receives no webhooks. */
  shop: [
    async ({ provider }, use, { project, workerIndex }) => {
      const { url, secretKey, publishableKey } = provider.mockStripe;
      const settings = {
        STRIPE_SECRET_KEY: secretKey,
        STRIPE_PUBLISHABLE_KEY: publishableKey,
        STRIPE_WEBHOOK_SECRET: "whsec_of_no_endpoint",
        STRIPE_API_BASE: url,
      };
      const shop = await openShop(settings, join(project.outputDir, `shop-${workerIndex}.log`));
      await use(shop);
      await shop.close();
    },
    { scope: "worker" },
  ],
  /** Stripe's own library, connected to the provider. The provider's paths begin with `/test-stripe`. */
  stripe: [
    async ({ provider }, use) => {
      const { url: origin, secretKey } = provider.mockStripe;
      const httpClient = Stripe.createFetchHttpClient((url, init) => {
        const { pathname, search } = new URL(String(url));
        return fetch(`${origin}${pathname}${search}`, init);
      });
      await use(new Stripe(secretKey, { httpClient, maxNetworkRetries: 0, telemetry: false }));
    },
    { scope: "worker" },
  ],
};

export const test = base.extend(fixtures);

/**
 * Answers the 3-D Secure page of a payment.
 *
 * @param {import("stripe").Stripe.PaymentIntent} intent
 * @param {"complete" | "fail"} outcome
 */
export async function answersBank(intent, outcome) {
  const url = intent.next_action?.redirect_to_url?.url;
  if (!url) throw new Error(`${intent.id} requires no action: it is ${intent.status}.`);
  const page = await (await fetch(url)).text();
  if (!page.includes("Approve this payment?")) throw new Error(page);
  await fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });
}

/** A webhook endpoint. Collects raw bodies and their signatures. */
export async function listener() {
  /** @type {{ body: string, signature: string }[]} */
  const received = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) body += chunk;
    received.push({ body, signature: String(request.headers["stripe-signature"]) });
    response.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { received, url: `http://127.0.0.1:${address.port}/events`, close: () => server.close() };
}
