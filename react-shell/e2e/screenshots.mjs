/** Screenshots of every page, at three widths and in both themes: `cargo xtask screenshots`. */
import { mkdir, readFile, readdir } from "node:fs/promises";
import { openVisitor, resize, test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { ACCEPTED, addsToCart, arrivesAtSuccess, goesToPayment, logsIn, paysWith } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const FOLDER = new URL("../../test-results/screenshots/", import.meta.url).pathname;
const MAILS = new URL("../../app/testdata/emails/", import.meta.url);
const WIDTHS = [390, 834, 1440];
const THEMES = /** @type {const} */ (["light", "dark"]);

/** @param {Page} page @param {string} name */
async function shoot(page, name) {
  await page.locator("h1").first().waitFor();
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of WIDTHS) {
      await resize(page, width);
      await page.waitForTimeout(150);
      await page.screenshot({ path: `${FOLDER}${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await resize(page, 1440);
}

/** @param {Page} page @param {Record<string, string>} places file name → path */
async function visit(page, places) {
  for (const [name, path] of Object.entries(places)) {
    await page.goto(path);
    // The shell has replaced the page that the server rendered.
    await page.locator("#root").waitFor({ state: "detached" });
    await shoot(page, name);
  }
}

/** @param {Page} page */
async function asVisitor(page) {
  await visit(page, {
    home: "/",
    about: "/about",
    products: "/products",
    product: "/products/nudgelight-one",
    "product-not-found": "/products/nothing-of-that-name",
    tutorial: "/tutorial",
    "schedule-lab": "/schedule-lab",
    schedules: "/schedules",
    recipe: "/schedules/trash-night",
    contact: "/contact",
    privacy: "/privacy",
    terms: "/terms",
    "shipping-and-returns": "/shipping-and-returns",
    "cart-empty": "/cart",
    register: "/register",
    login: "/login",
    "second-factor": "/second-factor",
    "login-code": "/login/code",
    "confirm-email": "/confirm-email",
    "forgot-password": "/forgot-password",
    "confirm-forgot-password": "/confirm-forgot-password?email=ada@example.com",
    "unknown-path": "/no/such/page",
  });
}

/** @param {Page} page */
async function asCustomer(page) {
  await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
  await visit(page, { "orders-empty": "/profile/orders?endDate=2020-01-01" });
  await addsToCart(page, "Nudgelight One", 2);
  await shoot(page, "product-added");
  await visit(page, { cart: "/cart", "checkout-address": "/checkout" });
  await page.getByRole("button", { name: "Continue to Payment" }).click();
  await page.getByText("Enter the city.").waitFor();
  await shoot(page, "checkout-address-errors");
  await goesToPayment(page);
  await shoot(page, "checkout-payment");
  await paysWith(page, ACCEPTED);
  const order = await arrivesAtSuccess(page);
  await shoot(page, "checkout-success");
  await visit(page, {
    order: `/order/${order}`,
    "order-not-found": "/order/nothing",
    profile: "/profile",
    "profile-orders": "/profile/orders",
    "profile-settings": "/profile/settings",
  });
  await page.goto(`/order/${order}`);
  await page.getByRole("button", { name: "Print Order" }).waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  await page.screenshot({ path: `${FOLDER}order-on-paper.png`, fullPage: true });
  return order;
}

/** @param {Page} page @param {string} order */
async function asAdministrator(page, order) {
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  await visit(page, {
    "admin-overview": "/admin/overview",
    "admin-orders": "/admin/orders",
    "admin-orders-empty": "/admin/orders?q=nobody",
    "admin-packing-slips": "/admin/packing-slips",
    "admin-tracking-import": "/admin/tracking-import",
    "admin-products": "/admin/products",
    "admin-money": "/admin/money",
    "admin-customers": "/admin/customers",
    "admin-settings": "/admin/settings",
    "admin-health": "/admin/health",
    "admin-taxes": "/admin/taxes",
    "admin-order": `/admin/order/${order}`,
  });
  await page.getByRole("button", { name: "Edit Order" }).click();
  await shoot(page, "admin-order-editing");
  await whileAnotherSaves(page, order);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByRole("button", { name: "Keep Mine" }).waitFor();
  await shoot(page, "admin-order-conflict");
  await page.goto(`/admin/order/${order}`);
  await page.getByRole("button", { name: "Refund…" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "admin-order-refund");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Mark as Shipped" }).click();
  await page.getByRole("dialog").waitFor();
  await shoot(page, "admin-order-ship");
  await page.goto("/admin/products");
  await page.getByRole("button", { name: "Add Product" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Add Product" }).click();
  await shoot(page, "admin-product-errors");
  await page.keyboard.press("Escape");
  await page
    .getByRole("link", { name: /^Stock history/ })
    .first()
    .click();
  await page.getByRole("heading", { name: "Movements" }).waitFor();
  await shoot(page, "admin-stock");
  await page.goto("/admin/customers?q=customer");
  await page.getByRole("link", { name: "customer@nudgelight.example" }).click();
  await page.getByRole("heading", { name: "Emails" }).waitFor();
  await shoot(page, "admin-customer");
}

/** @param {Page} page @param {string} order */
async function whileAnotherSaves(page, order) {
  await page.getByLabel("Status").selectOption("Delivered");
  const other = await page.context().newPage();
  await other.goto(`/admin/order/${order}`);
  await other.getByRole("button", { name: "Mark as Processing" }).click();
  await other.getByText("Changes saved.").waitFor();
  await other.close();
}

/** Every email, from the snapshots of the tests. @param {Page} page */
async function emails(page) {
  for (const file of (await readdir(MAILS)).filter((name) => name.endsWith(".html"))) {
    await page.setContent(await readFile(new URL(file, MAILS), "utf8"));
    const name = `mail-${file.replace(".html", "").replaceAll("_", "-")}`;
    for (const width of [390, 800]) {
      await resize(page, width);
      await page.screenshot({ path: `${FOLDER}${name}-${width}.png`, fullPage: true });
    }
  }
}

test("every page", async ({ browser }) => {
  test.setTimeout(1_800_000);
  await mkdir(FOLDER, { recursive: true });
  await asVisitor((await openVisitor(browser)).page);
  const order = await asCustomer((await openVisitor(browser)).page);
  await asAdministrator((await openVisitor(browser)).page, order);
  await emails((await openVisitor(browser)).page);
});
