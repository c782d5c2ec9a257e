import { createServer } from "node:http";
import { once } from "node:events";
import { Stripe } from "stripe";
import { required } from "./browser.mjs";

export const BASE = required("TEST_STRIPE_URL");
const SECRET_KEY = required("TEST_STRIPE_SECRET_KEY");

/** Stripe's own library, pointed at the test-mode Stripe of a running shop. Its paths begin after `/test-stripe`. */
export const stripe = new Stripe(SECRET_KEY, {
  httpClient: Stripe.createFetchHttpClient((url, init) => {
    const { pathname, search } = new URL(String(url));
    return fetch(`${BASE}${pathname}${search}`, init);
  }),
  maxNetworkRetries: 0,
  telemetry: false,
});

/**
 * What a cardholder answers on their bank's page.
 *
 * @param {import("stripe").Stripe.PaymentIntent} intent
 * @param {"complete" | "fail"} outcome
 */
export async function answersBank(intent, outcome) {
  const url = intent.next_action?.redirect_to_url?.url;
  if (!url) throw new Error(`Nobody asks about ${intent.id}: it is ${intent.status}.`);
  const page = await (await fetch(url)).text();
  if (!page.includes("Approve this payment?")) throw new Error(page);
  await fetch(url, { method: "POST", body: new URLSearchParams({ outcome }), redirect: "manual" });
}

/** Somebody to whom events are posted; keeps the raw bodies and their signatures. */
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
