/** The way of a new customer from the cart to the paid order: with a password, and with an emailed code. */
import assert from "node:assert/strict";
import { Effort } from "./effort.mjs";
import { test } from "./fixtures.mjs";
import { waitForCode } from "./mail.mjs";
import { ADDRESS, addsToCart, arrivesAt, arrivesAtSuccess, logsIn, sees } from "./steps.mjs";

const PASSWORD = "four small lamps in a row";

/** @param {Effort} effort */
async function startsCheckout(effort) {
  await addsToCart(effort.page, "Nudgelight One", 1);
  await effort.page.goto("/cart");
  await effort.press("Proceed to Checkout");
}

/** @param {Effort} effort @param {import("./shop.mjs").Shop} shop @param {string} email */
async function registers(effort, shop, email) {
  await effort.type("Email", email);
  await effort.type("Confirm Email", email);
  await effort.type("Password", PASSWORD);
  await effort.type("Confirm Password", PASSWORD);
  await effort.press("Register");
  await arrivesAt(effort.page, "/confirm-email");
  await effort.type("Confirmation Code", await waitForCode(shop, email));
  await effort.press("Confirm Email");
}

/** From the address to the order. The ZIP code fills in city and state. @param {Effort} effort */
async function pays(effort) {
  const { page } = effort;
  await arrivesAt(page, "/checkout");
  await effort.type("Full Name", ADDRESS.name);
  await effort.type("Address", ADDRESS.line1);
  await effort.type("ZIP Code", ADDRESS.code);
  await effort.type("City", ADDRESS.city);
  await effort.press("Continue to Payment");
  await arrivesAt(page, "/checkout?step=payment");
  await effort.type("Card Number", "4242 4242 4242 4242");
  await effort.type("Expiration Date", "12/34");
  await effort.type("Security Code", "123");
  await effort.press(/^Pay \$/);
  await arrivesAtSuccess(page);
}

/** @param {string} name */
const newAddress = (name) => `${name}.${Date.now()}@example.com`;

test.describe("a new customer", () => {
  test("with a password is logged in by the code and led to the checkout, with the cart", async ({
    shop,
    newVisitor,
  }) => {
    const { page, browserErrors } = await newVisitor();
    const effort = new Effort(page);
    const email = newAddress("with.password");
    await startsCheckout(effort);
    await effort.press("create an account", "link");
    await registers(effort, shop, email);
    await pays(effort);
    effort.log("new customer with a password, cart to paid");
    assert.ok(effort.fields <= 12, `${effort.fields} fields`);
    assert.deepEqual(browserErrors, []);
  });

  test("with a code types an address and six digits, and Back is the cart", async ({ shop, newVisitor }) => {
    const { page, browserErrors } = await newVisitor();
    const effort = new Effort(page);
    const email = newAddress("with.code");
    await startsCheckout(effort);
    await effort.press("log in", "link");
    await effort.type("Email", email);
    await effort.press("Email Me a Code Instead");
    await arrivesAt(page, "/login/code");
    await sees(page, email);
    await effort.type("Code", await waitForCode(shop, email));
    await effort.press("Log In");
    await arrivesAt(page, "/checkout");
    await page.goBack();
    await arrivesAt(page, "/cart");
    await page.goForward();
    await pays(effort);
    effort.log("new customer with a code, cart to paid");
    assert.ok(effort.fields <= 9, `${effort.fields} fields`);
    assert.deepEqual(browserErrors, []);
  });

  test("on Back comes to the cart after a change from login to registration", async ({ shop, newVisitor }) => {
    const { page } = await newVisitor();
    const effort = new Effort(page);
    const email = newAddress("from.login");
    await startsCheckout(effort);
    await effort.press("log in", "link");
    await arrivesAt(page, "/login");
    await effort.press("Forgot Password", "link");
    await arrivesAt(page, "/forgot-password");
    await page.goBack();
    await arrivesAt(page, "/cart");
    await effort.press("Proceed to Checkout");
    await effort.press("log in", "link");
    await page.getByRole("main").getByRole("link", { name: "Register" }).click();
    await arrivesAt(page, "/register");
    await registers(effort, shop, email);
    await arrivesAt(page, "/checkout");
    await page.getByLabel("Full Name").waitFor();
    await page.goBack();
    await arrivesAt(page, "/cart");
  });

  test("who confirms in another browser logs in there by hand", async ({ shop, newVisitor }) => {
    const { page } = await newVisitor();
    const email = newAddress("elsewhere");
    await page.goto("/register");
    await page.getByLabel("Email", { exact: true }).fill(email);
    await page.getByLabel("Confirm Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Confirm Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Register" }).click();
    await arrivesAt(page, "/confirm-email");
    const { page: phone } = await newVisitor();
    await phone.goto(`/confirm-email?email=${encodeURIComponent(email)}`);
    await phone.getByLabel("Email", { exact: true }).fill(email);
    await phone.getByLabel("Confirmation Code").fill(await waitForCode(shop, email));
    await phone.getByRole("button", { name: "Confirm Email" }).click();
    await arrivesAt(phone, "/login");
    assert.equal(await phone.getByLabel("Email").inputValue(), email);
    await phone.getByRole("link", { name: "Login" }).first().waitFor();
    await logsIn(phone, email, PASSWORD);
  });
});

test("an account without a password gets one in the settings, and its session goes on", async ({
  shop,
  newVisitor,
}) => {
  const { page, browserErrors } = await newVisitor();
  const email = newAddress("first.password");
  await page.goto("/login");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Email Me a Code Instead" }).click();
  const first = await waitForCode(shop, email);
  await page.getByLabel("Code", { exact: true }).fill(first);
  await page.getByRole("button", { name: "Log In" }).click();
  await arrivesAt(page, "/");
  await page.goto("/profile/settings");
  await page.getByRole("button", { name: "Email Me a Code" }).click();
  await page.getByLabel("Code", { exact: true }).waitFor();
  let code = await waitForCode(shop, email);
  for (let wait = 0; code === first && wait < 50; wait++) {
    await page.waitForTimeout(200);
    code = await waitForCode(shop, email);
  }
  await page.getByLabel("Code", { exact: true }).fill(code);
  await page.getByLabel("New Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm New Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set a Password" }).click();
  await sees(page, "Your password is set.");
  await page.getByRole("heading", { name: "Change Password" }).waitFor();
  await page.reload();
  await page.getByLabel("Current Password").waitFor();
  assert.deepEqual(browserErrors, []);
  const { page: other } = await newVisitor();
  await logsIn(other, email, PASSWORD);
});
