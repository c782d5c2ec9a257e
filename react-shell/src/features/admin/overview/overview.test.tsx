import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { CONFIG, LIGHT, offline, openShop, signIn } from "../../../test-shop";
import type { Overview } from "../shared/api";

const GET = "GET /api/admin/overview";
const COUNTING = { "GET /api/config": { ...CONFIG, analytics: { kind: "builtin", site: null, url: null } } };

const QUIET: Overview = {
  today: { orders: 0, sales: 0 },
  last_7_days: { orders: 0, sales: 0 },
  last_30_days: { orders: 0, sales: 0 },
  days: [
    { day: "2026-11-20", orders: 0, sales: 0, page_views: 0 },
    { day: "2026-11-21", orders: 0, sales: 0, page_views: 0 },
  ],
  open_orders: { pending: 0, processing: 0, held: 0, shipped: 0 },
  top_products: [],
  top_pages: [],
  low_stock: [],
  alerts: [],
  disputes: [],
};

const BUSY: Overview = {
  ...QUIET,
  today: { orders: 1, sales: 59.8 },
  last_7_days: { orders: 12, sales: 1_234.5 },
  days: [
    { day: "2026-11-20", orders: 11, sales: 1_174.7, page_views: 1 },
    { day: "2026-11-21", orders: 1, sales: 59.8, page_views: 40 },
  ],
  open_orders: { pending: 3, processing: 2, held: 4, shipped: 1 },
  top_products: [{ id: "p1", name: "Nudgelight One", sold: 9 }],
  top_pages: [{ path: "/about", views: 30 }],
  low_stock: [{ ...LIGHT, name: "Nudgelight Halo", available: 2 }],
  alerts: [
    {
      id: "a0",
      kind: "dispute_opened",
      message: "The customer disputes the payment.",
      created_at: "2026-11-20T08:00:00.000Z",
      created_at_local: "2026-11-20T08:00:00.000Z",
      order: { id: "o1", number: 1001 },
    },
    {
      id: "a1",
      kind: "payment_refunded",
      message: "Payment pi_1 was refunded.",
      created_at: "2026-11-21T08:00:00.000Z",
      created_at_local: "2026-11-21T08:00:00.000Z",
    },
  ],
};

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

describe("the overview", () => {
  test("shows sales, views, open orders, what runs out and what sells", async () => {
    openShop("/admin/overview", { ...COUNTING, [GET]: BUSY });
    await screen.findByText("Sales by day");
    for (const text of [
      "$1,234.50",
      "12 orders",
      "1 order",
      "Nudgelight Halo",
      "9 sold",
      "30",
      "41 views in 30 days",
    ]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    const open = within(screen.getByRole("heading", { name: "Open orders" }).closest("section") ?? document.body);
    const rows = open.getAllByRole("link").map((link) => [link.closest("li")?.textContent, link.getAttribute("href")]);
    expect(rows).toEqual([
      ["Pending3", "/admin/orders?status=pending&held=false&sort=oldest"],
      ["Processing2", "/admin/orders?status=processing&held=false"],
      ["On hold4", "/admin/orders?held=true"],
      ["Shipped1", "/admin/orders?status=shipped"],
    ]);
  });

  test("says what its figures leave out", async () => {
    openShop("/admin/overview", { ...COUNTING, [GET]: BUSY });
    const note = await screen.findByText(/^Sales are net of refunds/);
    expect(note.textContent).toContain("Fully refunded orders are excluded");
    expect(note.textContent).toContain("partially refunded orders count with the remaining amount");
  });

  test("has the figures of its charts in words", async () => {
    openShop("/admin/overview", { ...COUNTING, [GET]: BUSY });
    const sales = within(await screen.findByRole("table", { name: "Sales in the last 30 days" }));
    const rows = sales.getAllByRole("row").map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ["11/20/2026", "$1,174.70, 11 orders"],
      ["11/21/2026", "$59.80, 1 order"],
    ]);
  });

  test("lists the alerts until they are resolved", async () => {
    let overview = BUSY;
    const page = openShop("/admin/overview", {
      ...COUNTING,
      [GET]: () => Response.json(overview),
      "POST /api/admin/alerts/a1/resolve": () => {
        overview = { ...BUSY, alerts: BUSY.alerts.slice(0, 1) };
        return new Response(null, { status: 204 });
      },
    });
    const order = await screen.findByRole("link", { name: "Order 1001" });
    expect(order.getAttribute("href")).toBe("/admin/order/o1");
    await page.user.click(screen.getByRole("button", { name: "Resolve: Payment pi_1 was refunded." }));
    await waitFor(() => expect(screen.queryByText("Payment pi_1 was refunded.")).toBeNull());
    expect(screen.getByText("The customer disputes the payment.")).toBeTruthy();
  });

  test("of a quiet shop says so", async () => {
    openShop("/admin/overview", { ...COUNTING, [GET]: QUIET });
    await screen.findByText("Sales by day");
    for (const text of [
      "No low-stock products.",
      "No sales in the last 30 days.",
      "No page views in the last 30 days.",
    ]) {
      expect(screen.getByText(text)).toBeTruthy();
    }
    expect(screen.queryByText("Alerts")).toBeNull();
  });

  test("that cannot be had is told, and can be asked for again", async () => {
    let isAway = true;
    const page = openShop("/admin/overview", { ...COUNTING, [GET]: () => (isAway ? offline() : Response.json(QUIET)) });
    expect((await screen.findByRole("alert")).textContent).toContain("Failed to fetch the overview");
    isAway = false;
    await page.user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByText("No low-stock products.")).toBeTruthy();
  });
});
