// After every action the focus is on a visible element: never lost with an element that was removed or disabled.
import assert from "node:assert/strict";
import { expect } from "@playwright/test";
import { resize, test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { arrivesAt, DECLINED, fillsInAddress, logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */

const CUSTOMER = "customer@nudgelight.example";
const ADMIN = "admin@nudgelight.example";

/** Longer than the user interface takes to react: a focus that is lost late counts, too. */
const SETTLING_MS = 250;

/** Presses Enter on a control and checks the focus. @param {Locator} control */
async function presses(control) {
  await expect(control).toBeEnabled();
  const name = await control.evaluate((element) => element.getAttribute("aria-label") ?? element.textContent);
  await control.press("Enter");
  await keepsFocus(control.page(), String(name));
}

/** @param {Page} page @param {string} action */
async function keepsFocus(page, action) {
  await page.waitForTimeout(SETTLING_MS);
  const found = await page.waitForFunction(hasVisibleFocus, undefined, { timeout: 3_000 }).catch(() => undefined);
  assert.ok(found, `the focus is lost after “${action}” on ${page.url()}`);
}

function hasVisibleFocus() {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused.checkVisibility({ visibilityProperty: true });
}

/** @param {Page} page */
const focusedText = (page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);

/** @param {Page} page @param {string} path */
async function opens(page, path) {
  await page.goto(path);
  await page.locator("#root").waitFor({ state: "detached" });
  await page.locator("h1").waitFor();
}

/** @param {Page} page @param {string} name */
const button = (page, name) => page.getByRole("button", { name, exact: true });

test.describe("the focus is never lost", () => {
  test("on a product page", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await opens(page, "/products/nudgelight-one");
    await presses(button(page, "Increase quantity"));
    await presses(button(page, "Decrease quantity"));
    await presses(button(page, "Add to Cart"));
    await sees(page, "was added to your cart.");
    await page.getByLabel("Quantity", { exact: true }).fill("5000");
    await presses(button(page, "Add to Cart"));
    await page.getByRole("alert").waitFor();
    for (const picture of await page.getByRole("group", { name: "Pictures" }).getByRole("button").all()) {
      await presses(picture);
    }
  });

  test("in the cart", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    for (const product of ["nudgelight-one", "nudgelight-mini", "nudgelight-duo"]) {
      await opens(page, `/products/${product}`);
      await button(page, "Add to Cart").press("Enter");
      await sees(page, "was added to your cart.");
    }
    await presses(page.getByRole("link", { name: /View Cart/ }).first());
    await arrivesAt(page, "/cart");
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    await page.getByLabel("Quantity of Nudgelight Mini").fill("2");
    await page.getByLabel("Ship to").selectOption("CA");
    await keepsFocus(page, "Ship to");
    await presses(button(page, "Proceed to Checkout"));
    await page.getByRole("alert").getByRole("link", { name: "log in" }).waitFor();
    await presses(button(page, "Remove Nudgelight Mini"));
    await presses(button(page, "Remove Nudgelight One"));
    await presses(button(page, "Remove Nudgelight Duo"));
    await sees(page, "Your cart is empty.");
  });

  test("in the menus, on the way from page to page, and when the theme changes", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await opens(page, "/");
    await presses(button(page, "Products"));
    await page.keyboard.press("Escape");
    await keepsFocus(page, "Escape");
    assert.match(String(await focusedText(page)), /^Products/);
    await presses(button(page, "Products"));
    await presses(page.getByRole("menuitem", { name: "All products" }));
    await arrivesAt(page, "/products");
    for (const path of ["/about", "/cart", "/"]) {
      await presses(page.locator(`header a[href="${path}"]`).first());
      await arrivesAt(page, path);
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    }
    for (const theme of await page.locator("footer button").all()) await presses(theme);
    await resize(page, 390);
    await presses(button(page, "Open menu"));
    await presses(button(page, "Close menu"));
    await presses(button(page, "Open menu"));
    await presses(page.locator("header").getByRole("link", { name: "About" }));
    await arrivesAt(page, "/about");
    await page.goBack();
    await keepsFocus(page, "Back");
  });

  test("in the forms of an account", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await opens(page, "/register");
    await presses(page.locator("main").getByRole("button", { name: "Register" }));
    await page.getByLabel("Email", { exact: true }).fill(`focus.${Date.now()}@example.com`);
    await page.getByLabel("Confirm Email").fill("somebody@example.com");
    await presses(page.locator("main").getByRole("button", { name: "Register" }));
    await opens(page, "/login");
    await page.getByLabel("Email").fill(CUSTOMER);
    await page.getByLabel("Password", { exact: true }).fill("not this one at all");
    await presses(page.locator("main").getByRole("button", { name: "Login" }));
    await sees(page, "Incorrect email or password.");
    await keepsFocus(page, "a wrong password");
    await opens(page, "/forgot-password");
    await presses(page.locator("main").getByRole("button").first());
    await opens(page, "/confirm-email");
    await presses(button(page, "Confirm Email"));
    await page.getByLabel("Email").fill("nobody@example.com");
    await presses(button(page, "Resend Code"));
    await sees(page, "Confirmation code resent successfully.");
    await keepsFocus(page, "Resend Code");
  });

  test("in both steps of the checkout", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await buysFor(page, "Nudgelight Mini", ["Ada Lovelace"]);
    await opens(page, "/products/nudgelight-mini");
    await button(page, "Add to Cart").press("Enter");
    await sees(page, "was added to your cart.");
    await opens(page, "/checkout");
    await presses(button(page, "Use a different address"));
    await presses(button(page, "Continue to Payment"));
    await presses(button(page, "Add apartment, suite, or floor"));
    await fillsInAddress(page);
    await page.getByLabel("State").selectOption("NY");
    await page.getByLabel("ZIP Code").fill("10001");
    await page.getByLabel("ZIP Code").fill("90210");
    await presses(button(page, "Use California"));
    await presses(button(page, "Continue to Payment"));
    await arrivesAt(page, "/checkout?step=payment");
    await keepsFocus(page, "the payment step");
    await presses(page.getByRole("link", { name: /^Edit/ }));
    await arrivesAt(page, "/checkout?step=address");
    await keepsFocus(page, "the address step");
    await presses(button(page, "Continue to Payment"));
    await arrivesAt(page, "/checkout?step=payment");
    await presses(button(page, "Other test cards"));
    await presses(page.getByRole("button", { name: /^Pay \$/ }));
    await presses(page.getByRole("button", { name: DECLINED }));
    await page.getByRole("checkbox", { name: /billing address/ }).press("Space");
    await keepsFocus(page, "a billing address");
    await page.getByRole("checkbox", { name: /billing address/ }).press("Space");
    await page.getByRole("button", { name: /^Pay \$/ }).press("Enter");
    await sees(page, "you can try another card");
    await keepsFocus(page, "a declined card");
  });

  test("in the account", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, CUSTOMER, DEMO_PASSWORD);
    await buysFor(
      page,
      "Nudgelight One",
      Array.from({ length: 11 }, (_, index) => `Ada ${index}`),
    );
    await opens(page, "/profile");
    for (const tab of ["Orders", "Settings", "Profile", "Orders"]) {
      await presses(page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: tab }));
    }
    await presses(page.getByRole("link", { name: "Page 2" }));
    await presses(page.getByRole("link", { name: "Previous page" }));
    await page.getByLabel("To").fill("2020-01-01");
    await presses(button(page, "Filter"));
    await sees(page, "No orders found for the selected criteria.");
    await presses(page.getByRole("link", { name: "Clear" }));
    await opens(page, "/profile/settings");
    await presses(button(page, "Change Password"));
    await page.getByLabel("Current Password").fill("not this one at all");
    await page.getByLabel("New Password", { exact: true }).fill("a lamp for nobody else");
    await page.getByLabel(/^Confirm/).fill("a lamp for nobody else");
    await presses(button(page, "Change Password"));
    await page.getByRole("alert").first().waitFor();
    await keepsFocus(page, "a wrong password");
    const other = await newVisitor();
    await logsIn(other.page, CUSTOMER, DEMO_PASSWORD);
    await opens(page, "/profile");
    await presses(page.getByRole("button", { name: /^Log out/ }).first());
    await keepsFocus(page, "a session’s end");
    await presses(button(page, "Logout"));
    await page.getByRole("link", { name: "Login" }).first().waitFor();
    await keepsFocus(page, "Logout");
  });

  test("in the administration of orders", async ({ newVisitor }) => {
    const customer = await newVisitor();
    await logsIn(customer.page, CUSTOMER, DEMO_PASSWORD);
    const names = Array.from({ length: 11 }, (_, index) => `Bea ${index}`);
    const [order] = await buysFor(customer.page, "Nudgelight One", names);
    const { page } = await newVisitor();
    await logsIn(page, ADMIN, DEMO_PASSWORD);
    await opens(page, "/admin/orders");
    await presses(page.getByRole("button", { name: "Shortcuts" }));
    await presses(button(page, "Close"));
    await presses(page.getByRole("link", { name: "Page 2" }));
    await page.getByLabel(/^Search/).fill("Bea");
    await presses(button(page, "Filter"));
    await presses(page.getByRole("link", { name: /^Remove filter/ }));
    await page.getByLabel("Status").selectOption("delivered");
    await presses(button(page, "Filter"));
    await presses(page.getByRole("link", { name: "Clear" }));
    await presses(button(page, "Export CSV"));
    await presses(button(page, "Cancel"));
    await opens(page, `/admin/order/${order}`);
    await presses(button(page, "Edit Order"));
    await presses(button(page, "Cancel"));
    await presses(button(page, "Edit Order"));
    await page.getByLabel("City").fill("");
    await presses(button(page, "Save Changes"));
    await page.getByLabel("City").fill("Boston");
    await presses(button(page, "Save Changes"));
    await sees(page, "Changes saved.");
    await keepsFocus(page, "Save Changes");
    await presses(button(page, "Mark as Processing"));
    await sees(page, "Status changed from pending to processing");
    await keepsFocus(page, "Mark as Processing");
    await presses(button(page, "Refund…"));
    await presses(button(page, "Cancel"));
    await presses(button(page, "Refund…"));
    await presses(button(page, "Refund everything"));
    await presses(page.getByRole("button", { name: /^Refund \$/ }));
    await sees(page, "Payment: Refunded");
    await keepsFocus(page, "Refund");
  });

  test("when alerts are resolved", async ({ newVisitor }) => {
    const customer = await newVisitor();
    await logsIn(customer.page, CUSTOMER, DEMO_PASSWORD);
    const [first, second] = await buysFor(customer.page, "Nudgelight One", ["Cleo", "Dora"], "pm_card_createDispute");
    const { page } = await newVisitor();
    await logsIn(page, ADMIN, DEMO_PASSWORD);
    await opens(page, `/admin/order/${first}`);
    const only = page.getByRole("button", { name: /^Resolve/ });
    await presses(only);
    await only.waitFor({ state: "detached" });
    await keepsFocus(page, "Resolve");
    await opens(page, "/admin/overview");
    // Other tests have alerts at the same time.
    const alert = page.getByRole("listitem").filter({ has: page.locator(`a[href="/admin/order/${second}"]`) });
    const resolve = alert.getByRole("button", { name: /^Resolve/ });
    await presses(resolve);
    await resolve.waitFor({ state: "detached" });
    await keepsFocus(page, "Resolve in the overview");
  });

  test("in the administration of products", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await logsIn(page, ADMIN, DEMO_PASSWORD);
    await opens(page, "/admin/products");
    await presses(button(page, "Edit Nudgelight One"));
    await presses(button(page, "Cancel"));
    await presses(button(page, "Edit Nudgelight One"));
    await presses(button(page, "Save Changes"));
    await sees(page, "Nudgelight One was saved.");
    await keepsFocus(page, "Save Changes");
    const stock = page.getByLabel("Stock of Nudgelight One");
    await stock.fill(String(Number(await stock.inputValue()) + 1));
    await presses(page.getByRole("button", { name: /^Save the stock/ }));
    await presses(button(page, "Hide Nudgelight Duo"));
    await presses(button(page, "Show Nudgelight Duo"));
    await presses(button(page, "Add Product"));
    await page.getByLabel("Name", { exact: true }).fill(`Focus ${Date.now()}`);
    await page.getByLabel("Description").fill("Keeps its place.");
    await page.getByLabel(/^Price/).fill("9.99");
    await page.getByLabel("Stock", { exact: true }).fill("3");
    await page.getByLabel(/^Weight/).fill("0.2");
    await page.getByLabel("Active").uncheck();
    await presses(button(page, "Add Product"));
    await page.getByRole("rowheader", { name: /^Focus/ }).waitFor();
    await keepsFocus(page, "Add Product");
  });

  test("in the Schedule Lab", async ({ newVisitor }) => {
    const { page } = await newVisitor();
    await opens(page, "/tutorial#lab");
    const editor = page.getByLabel("Your schedule");
    await editor.waitFor();
    for (const example of await page.getByRole("group", { name: "Examples" }).getByRole("button").all()) {
      await presses(example);
    }
    await editor.fill("timezone = UTC\non 07:00-07:30 wekdays\n");
    await presses(page.getByRole("button", { name: "Line 2: Did you mean weekdays?" }));
    await editor.press("ControlOrMeta+End");
    await editor.pressSequentially("\nb");
    await presses(button(page, "blink"));
    for (const name of ["Now", "Next Change", "Day", "Week", "Add Rule", "Share by Link", "Download schedule.txt"]) {
      await presses(button(page, name));
    }
    await page.locator("summary").first().press("Enter");
    await keepsFocus(page, "a chapter");
    await presses(page.getByRole("button", { name: "Open in the Lab" }).first());
  });
});
