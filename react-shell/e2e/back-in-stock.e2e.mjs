import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { waitForMail } from "./mail.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const PRODUCT = { name: "Nova", description: "A light.", price: 34.5, stock: 0, weight_pounds: 0.2, active: true };

/** Calls the API as the administrator that is logged in. @param {Page} page @param {[string, string, object]} call */
function calls(page, call) {
  return page.evaluate(async ([method, path, body]) => {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${localStorage.getItem("accessToken")}`,
    };
    const response = await fetch(path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  }, call);
}

test("a visitor asks for an email, confirms the address, and gets it when the product is back", async ({
  newVisitor,
  shop,
}) => {
  const admin = await newVisitor();
  await logsIn(admin.page, "admin@nudgelight.example", DEMO_PASSWORD);
  await calls(admin.page, ["POST", "/api/products", PRODUCT]);

  const { page, browserErrors } = await newVisitor();
  await page.goto("/products/nova");
  await page.locator("#root").waitFor({ state: "detached" });
  const email = page.getByLabel("Email me when it’s back");
  const submit = page.getByRole("button", { name: "Email Me" });
  await email.fill("ada");
  await submit.click();
  await sees(page, "Enter an email address like name@example.com.");
  assert.equal(await email.inputValue(), "ada");
  await email.fill("ada@example.com");
  await submit.click();
  await sees(page, "Almost there: tap the link we just emailed you.");
  assert.equal(await page.locator("altcha-widget").count(), 0);

  const [, token] = await waitForMail(shop, "ada@example.com", /\/back-in-stock\?token=(\w+)/);
  await page.goto(`/back-in-stock?token=${token}`);
  await sees(page, "Nova");
  await calls(admin.page, ["PATCH", "/api/products/nova/stock", { stock: 5 }]);
  await waitForMail(shop, "ada@example.com", /\/products\/nova/);
  assert.deepEqual(browserErrors, []);
});

test("offline, the request fails with a message and can be repeated", async ({ newVisitor }) => {
  const admin = await newVisitor();
  await logsIn(admin.page, "admin@nudgelight.example", DEMO_PASSWORD);
  await calls(admin.page, ["POST", "/api/products", { ...PRODUCT, name: "Nebula" }]);
  const { context, page } = await newVisitor();
  await page.goto("/products/nebula");
  await page.locator("#root").waitFor({ state: "detached" });
  await page.getByLabel("Email me when it’s back").fill("ada@example.com");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Email Me" }).click();
  await sees(page, "An error occurred. Please try again.");
  await context.setOffline(false);
  await page.getByRole("button", { name: "Email Me" }).click();
  await sees(page, "Almost there: tap the link we just emailed you.");
});
