import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test as base } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD, openShop } from "./shop.mjs";
import { logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

/** With a shop without rate limits, because one customer places all orders. */
const test = base.extend({
  shop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright requires a destructuring pattern
    async ({}, use) => {
      const shop = await openShop({ SHOP_RATE_LIMITS: "off" });
      await use(shop);
      await shop.close();
    },
    { scope: "worker" },
  ],
});

const ORDERS = 100;
const PRODUCT = "Nudgelight One";
/** Unique for each run, so that a filter finds only its orders. */
const FAMILY = `Packer${Date.now() % 100_000}`;

/** Counts clicks, and the time from each to its result. */
function stopwatch() {
  let [clicks, waited] = [0, 0];
  /** @param {() => Promise<unknown>} act @param {() => Promise<unknown>} result */
  async function click(act, result) {
    clicks += 1;
    const begun = performance.now();
    await act();
    await result();
    waited += performance.now() - begun;
  }
  return { click, figures: () => ({ clicks, seconds: Math.round(waited / 100) / 10 }) };
}

/** Fills the tracking column, as label software would. @param {string} labels */
function withTrackingNumbers(labels) {
  const [header, ...rows] = labels.trim().split("\r\n");
  return [`${header},Tracking Number`, ...rows.map((row, index) => `${row},${upsNumber(index)}`)].join("\r\n");
}

/** A number of UPS with its check digit. @param {number} serial */
function upsNumber(serial) {
  const digits = `999AA1${String(serial).padStart(9, "0")}`;
  // From the right, every other character counts twice. A counts as 2.
  const sum = [...digits.replaceAll("A", "2")].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 2),
    0,
  );
  return `1Z${digits}${(10 - (sum % 10)) % 10}`;
}

test("a hundred orders are packed and shipped without waiting for the software", async ({ newVisitor }) => {
  const { page, browserErrors } = await newVisitor();
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  await stocksUp(page);
  await buysFor(
    page,
    PRODUCT,
    Array.from({ length: ORDERS }, (_, index) => `${FAMILY} ${index}`),
  );
  const { click, figures } = stopwatch();
  await page.goto(`/admin/orders?q=${FAMILY}&status=pending&limit=100`);
  await page.getByText(`1–${ORDERS} of ${ORDERS}`).waitFor();

  const status = page.getByText(`${ORDERS} selected`);
  await click(
    () => page.getByLabel("Select all on this page").click(),
    () => status.waitFor(),
  );
  await click(
    () => page.getByRole("link", { name: "Packing Slips" }).click(),
    () =>
      page
        .locator(".packing-slip")
        .nth(ORDERS - 1)
        .waitFor(),
  );
  await page.goBack();
  await page.getByText(`1–${ORDERS} of ${ORDERS}`).waitFor();
  const labels = await exportsLabels(page, click);
  const file = test.info().outputPath("tracking.csv");
  await writeFile(file, withTrackingNumbers(labels));

  await click(
    () => page.getByRole("link", { name: "Import Tracking Numbers" }).click(),
    () => page.getByRole("button", { name: "Choose File" }).waitFor(),
  );
  await click(
    () => page.getByTestId("tracking-file").setInputFiles(file),
    () => page.getByText(`${ORDERS} will be shipped.`).waitFor(),
  );
  await click(
    () => page.getByRole("button", { name: `Ship ${ORDERS} Orders` }).click(),
    () => page.getByText(`${ORDERS} orders shipped.`).waitFor(),
  );
  await click(
    () => page.getByRole("link", { name: "Show Orders" }).click(),
    () => page.getByText(`of ${ORDERS}`).waitFor(),
  );
  const { clicks, seconds } = figures();
  test.info().annotations.push({ type: "figures", description: `${clicks} clicks, ${seconds} s of waiting` });
  // oxlint-disable-next-line no-console -- the figures are the result
  console.log(`${ORDERS} orders: ${clicks} clicks, ${seconds} s of waiting`);
  assert.deepEqual(browserErrors, []);
});

/** @param {Page} page @param {ReturnType<typeof stopwatch>["click"]} click */
async function exportsLabels(page, click) {
  await click(
    () => page.getByRole("button", { name: "Export CSV" }).click(),
    () => page.getByRole("dialog").waitFor(),
  );
  await page.getByLabel("Columns").selectOption("pirate_ship");
  const download = page.waitForEvent("download");
  await click(
    () => page.getByRole("button", { name: "Export", exact: true }).click(),
    () => download,
  );
  return readFile(await (await download).path(), "utf8");
}

/** Enough for every order. @param {Page} page */
async function stocksUp(page) {
  await page.evaluate(async (name) => {
    const headers = {
      "content-type": "application/json",
      authorization: `Bearer ${localStorage.getItem("accessToken")}`,
    };
    const products = await (await fetch("/api/products", { headers })).json();
    const light = products.find((/** @type {{ name: string }} */ product) => product.name === name);
    const response = await fetch(`/api/products/${light.id}/stock`, {
      method: "PATCH",
      headers,
      body: JSON.stringify({ stock: 1000 }),
    });
    if (!response.ok) throw new Error(await response.text());
  }, PRODUCT);
}
