import { readFileSync } from "node:fs";

/**
 * Serves stubs of Stripe.js, its frames and its API at Stripe's own URLs, so that the content security policy applies
 * as in production. The API calls go to the mock Stripe.
 *
 * @param {import("@playwright/test").BrowserContext} context
 * @param {string} base URL of the mock Stripe
 */
export async function stubStripeJs(context, base) {
  await context.route("https://js.stripe.com/endive/stripe.js", (route) =>
    route.fulfill({ contentType: "text/javascript", body: SCRIPT }),
  );
  await context.route("https://js.stripe.com/v3/card-form.html", (route) =>
    route.fulfill({ contentType: "text/html", body: CARD_FORM }),
  );
  await context.route("https://api.stripe.com/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const response = await fetch(`${base}${pathname}${search}`, {
      method: route.request().method(),
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: route.request().postData(),
    });
    await route.fulfill({
      status: response.status,
      contentType: "application/json",
      headers: { "access-control-allow-origin": "*" },
      body: await response.text(),
    });
  });
  await context.route("https://hooks.stripe.com/**", async (route) => {
    const bank = new URL(route.request().url()).searchParams.get("bank") ?? "";
    if (route.request().method() === "POST") {
      await fetch(bank, { method: "POST", body: new URLSearchParams({ outcome: "complete" }), redirect: "manual" });
      await route.fulfill({ contentType: "text/html", body: "<script>parent.postMessage('answered', '*')</script>" });
    } else {
      await route.fulfill({ contentType: "text/html", body: BANK_FORM });
    }
  });
}

const SCRIPT = readFileSync(new URL("./stripe-js-stub-script.js", import.meta.url), "utf8");

const CARD_FORM = `<!doctype html><title>Card</title>
  <label>Card number <input autocomplete="off"></label>
  <script>
    addEventListener("message", (event) => {
      const number = document.querySelector("input").value;
      event.source.postMessage({ number }, event.origin);
    });
  </script>`;

const BANK_FORM = `<!doctype html><title>Bank</title><form method="post"><button>Complete authentication</button></form>`;
