/** Screenshots for the README: `cargo xtask screenshots --readme`. */
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openVisitor, test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { addsToCart, goesToPayment, logsIn } from "./steps.mjs";

const FOLDER = fileURLToPath(new URL("../../docs/images/", import.meta.url));
const VIEWPORT = { width: 1200, height: 560 };
const CUSTOMERS = [
  "Ada Lovelace",
  "Grace Hopper",
  "Alan Turing",
  "Katherine Johnson",
  "Edsger Dijkstra",
  "Barbara Liskov",
];

/** @param {import("@playwright/test").Page} page @param {string} name */
async function shoot(page, name) {
  await page.locator("#root").waitFor({ state: "detached" });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: "disabled" });
}

test("the README's pages", async ({ browser }) => {
  await mkdir(FOLDER, { recursive: true });
  const { page } = await openVisitor(browser, { viewport: VIEWPORT, reducedMotion: "reduce" });
  await page.goto("/");
  await shoot(page, "home");
  await page.goto("/products/nudgelight-one");
  await shoot(page, "product");
  await page.goto("/tutorial#lab");
  await page.getByText(/rules?, no problems/).waitFor();
  await page.locator("#lab").evaluate((lab) => lab.scrollIntoView());
  await shoot(page, "schedule-lab");

  await logsIn(page, "customer@nudgelight.example", DEMO_PASSWORD);
  await buysFor(page, "Nudgelight One", CUSTOMERS);
  await addsToCart(page, "Nudgelight One", 2);
  await goesToPayment(page);
  await shoot(page, "checkout");

  const admin = await openVisitor(browser, { viewport: VIEWPORT, reducedMotion: "reduce" });
  await logsIn(admin.page, "admin@nudgelight.example", DEMO_PASSWORD);
  await admin.page.goto("/admin/orders");
  await admin.page.getByRole("columnheader", { name: "Customer" }).waitFor();
  await shoot(admin.page, "admin");
});
