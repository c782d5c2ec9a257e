import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { expectRejection, openVisitor, test } from "./fixtures.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { buysFor } from "./orders.mjs";
import { arrivesAt, logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("./fixtures.mjs").Visitor} Visitor */
/** @typedef {import("./fixtures.mjs").NewVisitor} NewVisitor */

// Each test continues with the orders as the previous one left them.
test.describe.configure({ mode: "serial" });

const TRACKING = "1Z999AA10123456784";
const PRODUCT = "Nudgelight One";
/** Unique for each run, so that a search finds only its orders. */
const FAMILY = `Keyes${Date.now() % 100_000}`;
const NAMES = [`${FAMILY} Ada`, `${FAMILY} Bea`, `${FAMILY} Cleo`];

/** Paper sizes with their width and height in points. @type {[string, number, number][]} */
const PAPERS = [
  ["letter", 612, 792],
  ["a4", 595, 842],
  ["4x6", 288, 432],
];

/** @type {string[]} */
let orders;

test.beforeAll(async ({ browser }) => {
  const customer = await openVisitor(browser);
  await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
  orders = await buysFor(customer.page, PRODUCT, NAMES);
  await customer.context.close();
});

/** Logs in as an administrator and fails on any browser error. @param {NewVisitor} newVisitor @param {(visitor: Visitor) => Promise<void>} work */
async function asAdmin(newVisitor, work) {
  const who = await newVisitor();
  await logsIn(who.page, "admin@nudgelight.example", DEMO_PASSWORD);
  await work(who);
  assert.deepEqual(who.browserErrors, []);
}

/** Presses Tab until an element with this name has the focus. @param {Page} page @param {RegExp} name */
async function tabsTo(page, name) {
  for (let presses = 0; presses < 80; presses += 1) {
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
      return element?.getAttribute("aria-label") ?? label?.textContent ?? element?.textContent ?? "";
    });
    if (name.test(focused)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab never came to ${name}`);
}

/** @param {Page} page */
function numbersShown(page) {
  return page
    .locator("tbody th, tbody td:first-child")
    .filter({ hasText: /^\d{4,}$/ })
    .allInnerTexts();
}

test.describe("an administrator works", () => {
  test("by keyboard alone, from the search to the refund", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page }) => {
      await page.goto("/admin");
      await arrivesAt(page, "/admin/orders");
      await page.getByRole("columnheader", { name: "Customer" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type(NAMES[0] ?? "");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: `Remove filter: Search: ${NAMES[0]}` }).waitFor();
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      await arrivesAt(page, `/admin/order/${orders[0]}`);

      await tabsTo(page, /^Mark as Processing$/);
      await page.keyboard.press("Enter");
      await sees(page, "Changes saved.");
      await page.waitForFunction(() => document.activeElement?.textContent === "Mark as Shipped");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: /^Ship order \d+$/ }).waitFor();
      await page.keyboard.type(TRACKING);
      await page.getByText("Carrier: UPS").waitFor();
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: /^Track with UPS/ }).waitFor();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");

      await tabsTo(page, /^Refund…$/);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: /^Refund order \d+\?$/ }).waitFor();
      await tabsTo(page, /^Refund everything$/);
      await page.keyboard.press("Enter");
      await tabsTo(page, /^Restock the items$/);
      await page.keyboard.press("Space");
      await tabsTo(page, /^Refund \$/);
      await page.keyboard.press("Enter");
      await sees(page, "Payment: Refunded");
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
      for (const told of ["Items restocked", "Status changed from shipped to refunded", "has shipped"]) {
        await sees(page, told);
      }
    }));

  test("on filters that stand in the address and can be taken off one by one", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page }) => {
      await page.goto(`/admin/orders?q=${FAMILY}`);
      await page.getByRole("link", { name: `Remove filter: Search: ${FAMILY}` }).waitFor();
      assert.equal((await numbersShown(page)).length, 3);
      await page.getByLabel("Status").selectOption("pending");
      await page.getByRole("button", { name: "Filter" }).click();
      await page.getByRole("link", { name: "Remove filter: Status: Pending" }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get("status"), "pending");
      assert.equal((await numbersShown(page)).length, 2);
      await page.getByRole("link", { name: "Remove filter: Status: Pending" }).click();
      await page.getByRole("link", { name: "Remove filter: Status: Pending" }).waitFor({ state: "detached" });
      assert.equal(new URL(page.url()).search, `?q=${FAMILY}`);
      await page.goBack();
      await page.getByRole("link", { name: "Remove filter: Status: Pending" }).waitFor();
      assert.equal(await page.getByLabel("Status").inputValue(), "pending");
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }));

  test("on a file that holds exactly what the filter shows", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page }) => {
      await page.goto(`/admin/orders?q=${FAMILY}&status=pending`);
      await page.getByRole("link", { name: "Remove filter: Status: Pending" }).waitFor();
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: "Export CSV" }).click();
      await page.getByRole("button", { name: "Export", exact: true }).click();
      const file = await downloading;
      assert.match(file.suggestedFilename(), /^orders-\d{4}-\d{2}-\d{2}\.csv$/);
      const [header, ...records] = (await readFile(await file.path(), "utf8")).trim().split("\r\n");
      assert.match(header ?? "", /^number,order_date,status,/);
      assert.deepEqual(
        records.map((record) => record.split(",")[0]),
        await numbersShown(page),
      );
    }));

  test("on packing slips of the orders selected by keyboard, whose code opens the order again", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page }) => {
      await page.goto(`/admin/orders?q=${FAMILY}&status=pending`);
      await page.getByRole("link", { name: "Remove filter: Status: Pending" }).waitFor();
      const [latest, earlier] = await numbersShown(page);
      for (const key of ["j", "x", "j", "x"]) await page.keyboard.press(key);
      await sees(page, "2 selected");
      await page.getByRole("link", { name: "Packing Slips" }).click();
      await page.getByRole("heading", { name: `Order ${earlier}` }).waitFor();
      const slips = page.getByRole("heading", { name: /^Order \d/ });
      assert.deepEqual(await slips.allInnerTexts(), [`Order ${latest}`, `Order ${earlier}`]);
      await sees(page, "2 items for 2 orders");
      assert.equal(await page.getByRole("img", { name: `QR code NL-${latest}` }).count(), 1);
      for (const [paper, width, height] of PAPERS) {
        await page.getByLabel("Paper size").selectOption(paper);
        const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
        const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
        assert.deepEqual(
          new Set(boxes.map((box) => `${Math.round(Number(box[1]))}x${Math.round(Number(box[2]))}`)),
          new Set([`${width}x${height}`]),
        );
        assert.equal(boxes.length, 3, "the pick list and a page an order");
      }
      await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
      await page.keyboard.type(`NL-${latest}`);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: `Order ${latest}` }).waitFor();
    }));

  test("on an order that a second one changes meanwhile, and sees both versions", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page, browserErrors }) => {
      const path = `/admin/order/${orders[1]}`;
      await page.goto(path);
      await page.getByRole("button", { name: "Edit Order" }).click();
      await page.getByLabel(/^Tracking Number/).fill("MINE-1");
      await page.getByLabel("Status").selectOption("Delivered");

      await asAdmin(newVisitor, async ({ page: second }) => {
        await second.goto(path);
        await second.getByRole("button", { name: "Mark as Processing" }).click();
        await sees(second, "Changes saved.");
      });

      await page.getByRole("button", { name: "Save Changes" }).click();
      const notice = page.getByRole("alert").filter({ hasText: "Failed to save changes" });
      await notice.getByRole("row", { name: "Delivered Processing" }).waitFor();
      assert.equal(await notice.getByText("MINE-1").count(), 0, "only what both changed");
      expectRejection(browserErrors, 409, "/api/admin/order/");
      await notice.getByRole("button", { name: "Keep Mine" }).click();
      await sees(page, "Changes saved.");
      await sees(page, "Status changed from processing to delivered");
      await sees(page, "MINE-1");
    }));

  test("on products, in their row and in their editor, by keyboard", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page }) => {
      await page.goto("/admin/products");
      const stock = page.getByLabel("Stock of Nudgelight Duo");
      const count = Number(await stock.inputValue());
      const height = () => stock.evaluate((field) => field.closest("tr")?.getBoundingClientRect().height);
      const resting = await height();
      await stock.focus();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(`${count + 5}`);
      assert.equal(await height(), resting, "Save has its place in the row before it appears");
      await page.keyboard.press("Enter");
      await page.getByText("Saved", { exact: true }).waitFor();
      assert.equal(await stock.inputValue(), `${count + 5}`);

      await tabsTo(page, /^Edit Nudgelight Duo$/);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Edit Nudgelight Duo" }).waitFor();
      // The photos come first, then the name and the description.
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("End");
      await page.keyboard.type(" Lights two.");
      await tabsTo(page, /^Save Changes$/);
      await page.keyboard.press("Enter");
      await sees(page, "Nudgelight Duo was saved.");

      await tabsTo(page, /^Hide Nudgelight Duo$/);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Show Nudgelight Duo" }).waitFor();
      await sees(page, "Hidden");
      await page.getByRole("button", { name: "Show Nudgelight Duo" }).press("Enter");
      await page.getByRole("button", { name: "Hide Nudgelight Duo" }).waitFor();
    }));

  test("on notes, stock and a customer's emails, by keyboard", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page }) => {
      await page.goto(`/admin/order/${orders[1]}`);
      await page.getByLabel("Internal note").focus();
      await page.keyboard.type("Call before delivery.");
      await tabsTo(page, /^Add Note$/);
      await page.keyboard.press("Enter");
      await sees(page, "Note added.");
      await sees(page, "Call before delivery.");

      await page.goto("/admin/products?q=halo");
      await page.getByLabel("Stock of Nudgelight Halo").focus();
      const before = Number(await page.getByLabel("Stock of Nudgelight Halo").inputValue());
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("+20");
      await page.getByText(`= ${before + 20}`).waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("Saved", { exact: true }).waitFor();
      await tabsTo(page, /^Stock history of Nudgelight Halo$/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Stock of Nudgelight Halo" }).waitFor();
      await tabsTo(page, /^Units received/);
      await page.keyboard.type("5");
      await page.keyboard.press("Enter");
      await sees(page, `Received. There are now ${before + 25} in stock.`);
      await tabsTo(page, /^Units counted/);
      await page.keyboard.type(String(before));
      await tabsTo(page, /^Reason/);
      await page.keyboard.type("Inventory");
      await page.keyboard.press("Enter");
      await sees(page, `Corrected. There are now ${before} in stock.`);
      await page.getByRole("row", { name: /Counted.*Inventory/ }).waitFor();

      await page.goto("/admin/customers");
      await page.getByRole("columnheader", { name: "Spent" }).waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("customer@");
      await page.keyboard.press("Enter");
      await sees(page, "1 customer");
      await tabsTo(page, /^customer@nudgelight\.example$/);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Emails" }).waitFor();
      await tabsTo(page, /^Resend ?: ?Order confirmation/);
      await page.keyboard.press("Enter");
      await page.getByText("Sent again").waitFor();
    }));

  test("with an overview of what was sold and what waits", ({ newVisitor }) =>
    asAdmin(newVisitor, async ({ page }) => {
      await page.goto("/admin/overview");
      await page.getByRole("table", { name: "Sales in the last 30 days" }).waitFor({ state: "attached" });
      const pending = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Pending" }) });
      assert.ok(Number((await pending.innerText()).replaceAll(/\D/g, "")) >= 1);
      await page.getByRole("link", { name: "Pending" }).click();
      await arrivesAt(page, "/admin/orders?status=pending&held=false&sort=oldest");
      await page.getByRole("link", { name: "Remove filter: Status: Pending" }).waitFor();
    }));
});
