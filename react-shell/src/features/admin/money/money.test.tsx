import { screen, within } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ADMIN_ORDER, errorResponse, openShop, signIn } from "../../../test-shop";
import type { BalanceTransaction, Payout, PayoutDetails, PayoutPage } from "./api";

const PAYOUT: Payout = {
  id: "po_1",
  status: "paid",
  arrival_date: "2026-11-20",
  payments: 119.6,
  refunds: -10,
  disputes: 0,
  adjustments: 0,
  fees: -4.07,
  amount: 105.53,
  difference: 0,
};

const TRANSACTION: BalanceTransaction = {
  id: "txn_1",
  category: "payment",
  type: "charge",
  amount: 59.8,
  fee: 2.03,
  net: 57.77,
  created_at: "2026-11-19T12:00:00.000Z",
  created_at_local: "2026-11-19T12:00:00.000Z",
  order_id: "o1",
  order_number: 1001,
  payout_id: "po_1",
};

const UNEXPLAINED: BalanceTransaction = {
  id: "txn_2",
  category: "payment",
  type: "charge",
  amount: 7,
  fee: 0.5,
  net: 6.5,
  created_at: "2026-11-19T13:00:00.000Z",
  created_at_local: "2026-11-19T13:00:00.000Z",
  problem: "No order has this payment.",
};

const LIST = "GET /api/admin/payouts";
const DETAILS = "GET /api/admin/payouts/po_1";

function page(payouts: Payout[], unexplained: BalanceTransaction[] = []): PayoutPage {
  const totals = { page: 1, totalPages: 1, total: payouts.length, total_unexplained: unexplained.length };
  return { payouts, unexplained, unmatched_orders: [], total_unmatched_orders: 0, ...totals };
}

const details: PayoutDetails = { payout: PAYOUT, transactions: [TRANSACTION], page: 1, totalPages: 1, total: 1 };

describe("the money page", () => {
  beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

  test("lists paid orders whose payment is not among the transactions", async () => {
    const order = { id: "o1", number: 1001, total: 59.8, order_date: "2026-11-20T03:00:00Z" };
    const unmatched = [{ ...order, order_date_local: "2026-11-19T22:00:00-05:00" }];
    openShop("/admin/money", { [LIST]: { ...page([PAYOUT]), unmatched_orders: unmatched, total_unmatched_orders: 1 } });
    const heading = await screen.findByRole("heading", { name: "Orders without a transaction" });
    const section = within(heading.closest("section") as HTMLElement);
    expect(section.getByRole("link", { name: "1001" }).getAttribute("href")).toBe("/admin/order/o1");
    expect(section.getByText("11/19/2026")).toBeTruthy();
    expect(section.getByText("$59.80")).toBeTruthy();
  });

  test("lists payouts with their parts and leads to their transactions and orders", async () => {
    const { user } = openShop("/admin/money", { [LIST]: page([PAYOUT]), [DETAILS]: details });
    const table = within(await screen.findByRole("table", { name: /^Payouts/ }));
    const cells = table.getAllByRole("cell").map((cell) => cell.textContent);
    expect(cells).toEqual(["$119.60", "-$10.00", "-$4.07", "$0.00", "$0.00", "$105.53", "$0.00"]);
    expect(screen.queryByRole("heading", { name: "Unexplained" })).toBeNull();
    await user.click(table.getByRole("link"));
    const transactions = within(await screen.findByRole("table", { name: /^Transactions/ }));
    expect(transactions.getByRole("link", { name: "Order 1001" }).getAttribute("href")).toBe("/admin/order/o1");
    expect(transactions.getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["$59.80", "$2.03", "$57.77"]);
  });

  test("tells a refund from one that the bank returned", async () => {
    const refund: BalanceTransaction = { ...TRANSACTION, category: "refund", amount: -5 };
    const transactions = [refund, { ...refund, id: "txn_2", amount: 5 }];
    openShop("/admin/money/po_1", { [DETAILS]: { ...details, transactions, total: 2 } });
    const rows = await screen.findAllByText(/efund$/);
    expect(rows.map((row) => row.firstChild?.textContent)).toEqual(["Refund", "Failed refund"]);
  });

  test("shows first what has no explanation, and a difference that is not zero", async () => {
    openShop("/admin/money", { [LIST]: page([{ ...PAYOUT, difference: 6.5 }], [UNEXPLAINED]) });
    await screen.findByText("No order has this payment.");
    const headings = screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent);
    expect(headings).toEqual(["Unexplained", "Payouts"]);
    const payouts = within(screen.getByRole("table", { name: /^Payouts/ }));
    expect(payouts.getByText("$6.50")).toBeTruthy();
  });

  test("does not claim a difference before the provider lists the transactions", async () => {
    const { difference: _difference, ...incomplete } = PAYOUT;
    openShop("/admin/money", { [LIST]: page([{ ...incomplete, status: "in_transit" }]) });
    expect(await screen.findByText("Pending")).toBeTruthy();
    expect(screen.getByText("In transit")).toBeTruthy();
  });

  test("says so when there are no payouts", async () => {
    openShop("/admin/money", { [LIST]: page([]) });
    expect(await screen.findByRole("heading", { name: "No payouts yet" })).toBeTruthy();
  });

  test("says so when the payouts can't be fetched", async () => {
    openShop("/admin/money", { [LIST]: errorResponse(503, { error: "Busy." }) });
    expect(await screen.findByText("Failed to fetch payouts. Please try again later.")).toBeTruthy();
  });

  test("leads back from a payout that does not exist", async () => {
    openShop("/admin/money/po_9");
    expect(await screen.findByText("Payout not found.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "All payouts" })).toBeTruthy();
  });

  test("downloads the journal of a period, or names the wrong day", async () => {
    const url = { createObjectURL: vi.fn<() => string>(() => "blob:1"), revokeObjectURL: vi.fn<() => void>() };
    vi.stubGlobal("URL", Object.assign(URL, url));
    const { user, responses, requests } = openShop("/admin/money", {
      [LIST]: page([]),
      "GET /api/admin/journal": errorResponse(400, {
        error: "Invalid.",
        code: "InvalidRequest",
        fields: { to: "Export at most 366 days at once." },
      }),
    });
    await user.click(await screen.findByRole("button", { name: "Export Journal" }));
    await user.click(screen.getByRole("button", { name: "Export" }));
    expect(await screen.findByText("Export at most 366 days at once.")).toBeTruthy();
    responses["GET /api/admin/journal"] = () => new Response("commodity $1,000.00\n");
    await user.click(screen.getByRole("button", { name: "Export" }));
    await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(requests.at(-1)?.key).toMatch(/^GET \/api\/admin\/journal\?from=\d{4}-\d\d-01&to=\d{4}-\d\d-\d\d$/);
    expect(url.createObjectURL).toHaveBeenCalledTimes(1);
  });
});

describe("an order's fee", () => {
  beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

  test("is shown with the net amount once the provider reports it", async () => {
    const balance = { fee: 17.03, disputed: -59.8, net: -17.03, transactions: [TRANSACTION] };
    openShop("/admin/order/o1", { "GET /api/admin/order/o1": ADMIN_ORDER, "GET /api/admin/order/o1/balance": balance });
    expect((await screen.findByText("Stripe fee")).nextSibling?.textContent).toBe("-$17.03");
    expect(screen.getByText("Disputed").nextSibling?.textContent).toBe("-$59.80");
    expect(screen.getByText("Net").nextSibling?.textContent).toBe("-$17.03");
  });

  test("is left out until then", async () => {
    const balance = { fee: 0, disputed: 0, net: 0, transactions: [] };
    const { sent } = openShop("/admin/order/o1", {
      "GET /api/admin/order/o1": ADMIN_ORDER,
      "GET /api/admin/order/o1/balance": balance,
    });
    await vi.waitFor(() => expect(sent("GET /api/admin/order/o1/balance")).toHaveLength(1));
    expect(screen.queryByText("Net")).toBeNull();
  });
});
