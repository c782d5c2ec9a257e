import { readFileSync } from "node:fs";

/**
 * Stand-ins for what the browser loads from Stripe, at Stripe's own addresses, so that the page's security policy
 * judges them as it would judge Stripe. Behind them is the test-mode Stripe.
 *
 * @param {import("playwright-core").BrowserContext} context
 * @param {string} base the address of the test-mode Stripe
 */
export async function standInForStripe(context, base) {
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

const SCRIPT = readFileSync(new URL("./stripe-in-page.js", import.meta.url), "utf8");

const CARD_FORM = `<!doctype html><title>Card</title>
  <label>Card number <input autocomplete="off"></label>
  <script>
    addEventListener("message", (event) => {
      const number = document.querySelector("input").value;
      event.source.postMessage({ number }, event.origin);
    });
  </script>`;

const BANK_FORM = `<!doctype html><title>Bank</title><form method="post"><button>Complete authentication</button></form>`;
