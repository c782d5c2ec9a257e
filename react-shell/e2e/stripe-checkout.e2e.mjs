import assert from "node:assert/strict";
import { expectRejection, openVisitor } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { ACCEPTED, arrivesAt, arrivesAtSuccess, ASKS_THE_BANK, DECLINED, fillsInAddress, sees } from "./steps.mjs";
import { stubStripeJs } from "./stripe-js-stub.mjs";
import { test } from "./stripe-fixtures.mjs";

const CUSTOMER = "customer@nudgelight.example";
const PRODUCT = "Nudgelight One";

/** @type {import("./fixtures.mjs").Visitor} */
let ada;

test.beforeAll(async ({ browser, provider }) => {
  ada = await openVisitor(browser);
  await stubStripeJs(ada.context, provider.mockStripe.url);
});

/** Adds the product from any page, by links alone. */
async function putsIntoCart() {
  const { page } = ada;
  await page.getByRole("button", { name: "Products" }).click();
  await page.getByRole("menuitem", { name: PRODUCT }).click();
  await page.getByRole("button", { name: "Add to Cart" }).click();
  await sees(page, `${PRODUCT} was added to your cart.`);
  await page
    .getByRole("link", { name: /View Cart/ })
    .first()
    .click();
}

async function walksToPayment() {
  const { page } = ada;
  await page.getByRole("button", { name: "Proceed to Checkout" }).click();
  await arrivesAt(page, "/checkout");
  await fillsInAddress(page);
  await page.getByRole("button", { name: "Continue to Payment" }).click();
  await arrivesAt(page, "/checkout?step=payment");
}

/** @param {string} number */
async function paysWithCard(number) {
  const { page } = ada;
  await page.frameLocator('iframe[title="Secure payment input frame"]').getByLabel("Card number").fill(number);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
}

// Each test continues where the previous one ended.
test.describe.configure({ mode: "serial" });

test.describe("a light is bought with Stripe's keys", () => {
  test("the shop is set up for Stripe, in test mode", async () => {
    const { payments, test_mode: testMode } = await (await ada.context.request.get("/api/config")).json();
    assert.deepEqual([payments.kind, testMode], ["stripe", true]);
    assert.match(payments.publishable_key, /^pk_test_/);
  });

  test("somebody walks from the first page to the payment, and nothing of Stripe is loaded before", async () => {
    const { page } = ada;
    const early = /** @type {string[]} */ ([]);
    const notes = (/** @type {import("@playwright/test").Request} */ request) =>
      request.url().includes("stripe.com") && early.push(request.url());
    page.on("request", notes);
    await page.goto("/");
    await putsIntoCart();
    await page.getByRole("button", { name: "Proceed to Checkout" }).click();
    await page.getByRole("alert").getByRole("link", { name: "log in" }).click();
    await page.getByLabel("Email").fill(CUSTOMER);
    await page.getByLabel("Password", { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole("button", { name: "Login" }).click();
    await arrivesAt(page, "/checkout");
    assert.deepEqual(early, []);
    page.off("request", notes);
    await fillsInAddress(page);
    await page.getByRole("button", { name: "Continue to Payment" }).click();
    await arrivesAt(page, "/checkout?step=payment");
  });

  test("an empty card form is left to Stripe's element, a declined card is told so, the next one pays", async () => {
    const { page, browserErrors } = ada;
    await paysWithCard("");
    await paysWithCard(DECLINED);
    await sees(page, "Your card was declined.");
    await sees(page, "you can try another card");
    expectRejection(browserErrors, 402, "api.stripe.com");
    await paysWithCard(ACCEPTED);
    const id = await arrivesAtSuccess(page);
    await page.getByRole("link", { name: /^Order \d+$/ }).click();
    await arrivesAt(page, `/order/${id}`);
    for (const text of [PRODUCT, "Pending", "12 Front St"]) await sees(page, text);
  });

  test("a card whose bank asks first is asked in Stripe's frame, and the page is never left", async () => {
    const { page } = ada;
    await putsIntoCart();
    await walksToPayment();
    await paysWithCard(ASKS_THE_BANK);
    await page.frameLocator('iframe[title="Bank"]').getByRole("button", { name: "Complete authentication" }).click();
    await arrivesAtSuccess(page);
  });

  test("the provider has both payments, with the checkout each belongs to", async ({ stripe }) => {
    const { data } = await stripe.paymentIntents.list({ limit: 2 });
    for (const intent of data) {
      assert.equal(intent.status, "succeeded");
      assert.ok(intent.metadata["checkout_id"]);
    }
    assert.equal(data.length, 2);
  });

  // invariant: cross-site-scripting
  test("nothing was stopped by the pages' own security policy, and the browser had nothing to complain about", () => {
    assert.deepEqual(ada.browserErrors, []);
  });
});
