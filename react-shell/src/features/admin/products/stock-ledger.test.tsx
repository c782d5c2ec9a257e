import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { errorResponse, LIGHT, offline, openShop, signIn, type MockResponses } from "../../../test-shop";
import type { StockLedger } from "./api";

const GET = "GET /api/admin/products/p1/stock";
const RECEIVE = "POST /api/admin/products/p1/stock/receive";
const CORRECT = "POST /api/admin/products/p1/stock/correct";
const THRESHOLD = "PATCH /api/admin/products/p1/low-stock-threshold";

const MOVED = {
  created_at: "2026-11-21T13:05:00.000Z",
  created_at_local: "2026-11-21T13:05:00.000Z",
  actor: "bo@nudgelight.example",
};
const LEDGER: StockLedger = {
  product: LIGHT,
  low_stock_threshold: null,
  movements: [
    { ...MOVED, id: "m3", reason: "received", change: 1_500, balance: 1_510, note: "Delivery 17" },
    { ...MOVED, id: "m2", reason: "sold", change: -2, balance: 10, order: { id: "o1", number: 1001 } },
    { ...MOVED, id: "m1", reason: "corrected", change: 0, balance: 12 },
  ],
  page: 1,
  totalPages: 1,
  total: 3,
};

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function open(responses: MockResponses = {}) {
  const page = openShop("/admin/products/p1/stock", { [GET]: LEDGER, ...responses });
  await screen.findByRole("heading", { name: "Stock of Nudgelight One" });
  return page;
}

describe("a product's stock", () => {
  test("lists its movements with balance, note, order and actor", async () => {
    await open();
    const rows = screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent ?? "");
    expect(rows[0]).toContain("ReceivedDelivery 17");
    expect(rows[0]).toContain("+1,5001,510");
    expect(rows[1]).toContain("Sold · Order 1001");
    expect(rows[1]).toContain("−2");
    expect(rows[2]).toContain("Counted");
    expect(rows[0]).toContain("bo@nudgelight.example");
    expect(screen.getByRole("link", { name: "Order 1001" }).getAttribute("href")).toBe("/admin/order/o1");
    expect(screen.getByText("3 movements")).toBeTruthy();
  });

  test("grows by what is received", async () => {
    const page = await open({ [RECEIVE]: { ...LIGHT, stock: 62 } });
    const field = screen.getByLabelText("Units received");
    await page.user.type(field, "0{Enter}");
    expect(screen.getByText("Enter a number from 1 to 1,000,000.")).toBeTruthy();
    await page.user.clear(field);
    await page.user.type(field, "50");
    await page.user.type(screen.getByLabelText(/^Note/), "Delivery 18{Enter}");
    expect(await screen.findByText("Received. There are now 62 in stock.")).toBeTruthy();
    expect(page.sent(RECEIVE).map(({ body }) => body)).toEqual([{ quantity: 50, note: "Delivery 18" }]);
    expect(field).toHaveProperty("value", "");
  });

  test("is corrected with the count, the stock that was seen and a reason", async () => {
    const page = await open({ [CORRECT]: { ...LIGHT, stock: 11 } });
    await page.user.type(screen.getByLabelText("Units counted"), "11{Enter}");
    expect(screen.getByText("Enter a reason.")).toBeTruthy();
    await page.user.type(screen.getByLabelText("Reason"), "One is broken{Enter}");
    expect(await screen.findByText("Corrected. There are now 11 in stock.")).toBeTruthy();
    expect(page.sent(CORRECT)[0]?.body).toEqual({ counted: 11, was: 12, reason: "One is broken" });
  });

  test("has a threshold, which an empty field removes", async () => {
    const page = await open({ [GET]: { ...LEDGER, low_stock_threshold: 20 }, [THRESHOLD]: { threshold: null } });
    const field = screen.getByLabelText(/^Alert at or below/);
    expect(field).toHaveProperty("value", "20");
    await page.user.clear(field);
    await page.user.type(field, "x{Enter}");
    expect(screen.getByText("Enter a number from 0 to 1,000,000.")).toBeTruthy();
    await page.user.clear(field);
    await page.user.click(screen.getByRole("button", { name: "Save Threshold" }));
    await screen.findByText("Threshold saved.");
    expect(page.sent(THRESHOLD)[0]?.body).toEqual({ threshold: null });
  });

  test("keeps what was typed when it isn't saved, and shows the server's message at the field", async () => {
    const message = "Only 2 left in stock.";
    const error = errorResponse(400, { error: "Wrong.", code: "InvalidRequest", fields: { counted: message } });
    const page = await open({ [CORRECT]: error, [RECEIVE]: offline });
    await page.user.type(screen.getByLabelText("Units counted"), "1");
    await page.user.type(screen.getByLabelText("Reason"), "Inventory{Enter}");
    expect(await screen.findByText(message)).toBeTruthy();
    await page.user.type(screen.getByLabelText("Units received"), "5{Enter}");
    await waitFor(() => expect(screen.getByText("Failed to save changes")).toBeTruthy());
    expect(screen.getByLabelText("Units received")).toHaveProperty("value", "5");
  });

  test("of an unknown product leads back to all products", async () => {
    openShop("/admin/products/p1/stock", { [GET]: errorResponse(404, { error: "Gone.", code: "NotFound" }) });
    expect((await screen.findByRole("alert")).textContent).toBe("Product not found");
    expect(within(screen.getByRole("main")).getByRole("link", { name: "All Products" })).toBeTruthy();
  });
});
