import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { violationsOf } from "./axe.mjs";
import { test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const DUE = /Respond by \d\d\/\d\d\/\d{4} · 8 days left/;

/**
 * Opens the overview until it lists the order's dispute: its event may arrive after the order.
 *
 * @param {Page} page @param {string} order
 */
async function opensOverviewWith(page, order) {
  const entry = page
    .getByRole("listitem")
    .filter({ has: page.locator(`a[href="/admin/order/${order}"]`), hasText: DUE });
  for (let tries = 0; tries < 20; tries++) {
    await page.goto("/admin/overview");
    await page.getByText("Sales by day").waitFor();
    if ((await entry.count()) > 0) break;
  }
  return entry;
}

test("a dispute is counted down in the overview and on its order, whose evidence is one document", async ({
  newVisitor,
}) => {
  const customer = await newVisitor();
  await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
  const [order = ""] = await buysFor(
    customer.page,
    "Nudgelight One",
    ["Dora Disputed"],
    "pm_card_createDisputeProductNotReceived",
  );
  const { page, browserErrors } = await newVisitor();
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  const entry = await opensOverviewWith(page, order);
  await entry.getByText(DUE).waitFor();
  assert.deepEqual(await violationsOf(page), []);

  await entry.getByRole("link").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Disputes" }).waitFor();
  await page.getByText(DUE).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  const button = page.getByRole("button", { name: "Evidence" });
  await button.focus();
  const downloading = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const download = await downloading;
  assert.match(download.suggestedFilename(), /^evidence-\d+\.html$/);
  await button.and(page.locator(":focus")).waitFor();
  assert.deepEqual(browserErrors, []);

  const document = await (await newVisitor()).context.newPage();
  await document.setContent(await readFile(await download.path(), "utf8"));
  for (const heading of ["Receipt", "Payment", "Shipping", "History", "Emails to the customer", "Customer", "Terms"]) {
    await document.getByRole("heading", { name: heading, exact: true }).first().waitFor();
  }
  assert.deepEqual(await violationsOf(document), []);
});
