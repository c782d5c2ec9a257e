import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { errorResponse, offline, openShop, signIn, type MockResponses } from "../../../test-shop";
import type { Customer, CustomerOrders, EmailPage } from "./api";

const LIST = "GET /api/admin/customers";
const GET = `${LIST}/u1`;
const RESEND = "POST /api/admin/order/o1/emails";

const ADA: Customer = {
  id: "u1",
  email: "ada@example.com",
  name: "Ada Lovelace",
  created_at: "2026-11-02T09:12:00.000Z",
  created_at_local: "2026-11-02T09:12:00.000Z",
  orders: 3,
  spent: 179.4,
  refunded: 59.8,
  last_order_at: "2026-11-21T12:00:00.000Z",
  last_order_at_local: "2026-11-21T12:00:00.000Z",
};

const ORDERS: CustomerOrders = {
  orders: [
    {
      id: "o1",
      number: 1001,
      order_date: "2026-11-21T12:00:00.000Z",
      order_date_local: "2026-11-21T12:00:00.000Z",
      status: "shipped",
      total: 59.8,
      name: "Ada",
      user_email: "ada@example.com",
      payment: "paid",
      open_alerts: 0,
    },
  ],
  page: 1,
  totalPages: 1,
  total: 1,
};

const order = { id: "o1", number: 1001 };
const EMAILS: EmailPage = {
  emails: [
    {
      id: "m3",
      kind: "shipment",
      created_at: "2026-11-22T12:00:00.000Z",
      created_at_local: "2026-11-22T12:00:00.000Z",
      state: "pending",
      order,
    },
    {
      id: "m2",
      kind: "receipt",
      created_at: "2026-11-21T12:00:00.000Z",
      created_at_local: "2026-11-21T12:00:00.000Z",
      state: "sent",
      order,
    },
    {
      id: "m1",
      kind: "code",
      created_at: "2026-11-02T09:12:00.000Z",
      created_at_local: "2026-11-02T09:12:00.000Z",
      state: "failed",
    },
  ],
  page: 1,
  totalPages: 2,
  total: 12,
};

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

function open(path: string, responses: MockResponses = {}) {
  return openShop(path, { [GET]: ADA, [`${GET}/orders`]: ORDERS, [`${GET}/emails`]: EMAILS, ...responses });
}

describe("the customers", () => {
  test("are searched by the URL, and each has its totals", async () => {
    const page = open("/admin/customers?q=ada", {
      [LIST]: { customers: [ADA], page: 1, totalPages: 1, total: 1 },
    });
    expect(await screen.findByText("1 customer")).toBeTruthy();
    const row = screen.getByRole("row", { name: /ada@example.com/ });
    expect(row.textContent).toContain("Ada Lovelace");
    expect(row.textContent).toContain("$179.40");
    expect(page.sent(`${LIST}?page=1&limit=25&q=ada`)).toHaveLength(1);
    expect(screen.getByRole("link", { name: "ada@example.com" }).getAttribute("href")).toBe("/admin/customers/u1");
  });

  test("that match nothing lead back to all, and a failure is shown", async () => {
    let isAway = false;
    const page = open("/admin/customers?q=nobody", {
      [LIST]: () => (isAway ? offline() : Response.json({ customers: [], page: 1, totalPages: 1, total: 0 })),
    });
    expect(await screen.findByText("No customers found.")).toBeTruthy();
    isAway = true;
    await page.user.click(screen.getByRole("link", { name: "Show All Customers" }));
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to fetch customers. Please try again later.");
  });
});

describe("a customer", () => {
  test("has totals, orders and emails", async () => {
    const page = open("/admin/customers/u1");
    await screen.findByRole("heading", { name: "ada@example.com" });
    expect(screen.getByText("$179.40")).toBeTruthy();
    const orders = within(screen.getByRole("table", { name: /^Orders/ }));
    expect(orders.getByRole("link", { name: "1001" }).getAttribute("href")).toBe("/admin/order/o1");
    const emails = within(screen.getByRole("table", { name: /^Emails/ }));
    const states = emails
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent ?? "");
    expect(states[0]).toContain("Shipping confirmation · Order 1001");
    expect(states[0]).toContain("Waiting");
    expect(states[2]).toContain("Emailed code");
    expect(states[2]).toContain("Failed");
    const pages = within(screen.getByRole("navigation", { name: "Pages of emails" }));
    await page.user.click(pages.getByRole("link", { name: "Page 2" }));
    await waitFor(() => expect(page.sent(`${GET}/emails?page=2&limit=10`)).toHaveLength(1));
    expect(page.sent(`${GET}/orders?page=1&limit=10`)).toHaveLength(2);
  });

  test("gets a confirmation again; a code is never sent again", async () => {
    const limit = errorResponse(429, { error: "Too many attempts.", code: "TooManyRequests" });
    const responses = [() => Response.json({}, { status: 201 }), limit];
    const page = open("/admin/customers/u1", { [RESEND]: () => responses.shift()?.() });
    const resend = await screen.findByRole("button", { name: /^Resend ?: Order confirmation, order 1001$/ });
    expect(screen.getAllByRole("button", { name: /^Resend/ })).toHaveLength(1);
    await page.user.click(resend);
    expect(await screen.findByText("Sent again")).toBeTruthy();
    expect(page.sent(RESEND)[0]?.body).toEqual({ kind: "receipt" });
    await page.user.click(resend);
    expect((await screen.findByRole("alert")).textContent).toBe("Too many attempts.");
  });

  test("that does not exist shows an error", async () => {
    open("/admin/customers/u1", { [GET]: errorResponse(404, { error: "Gone.", code: "NotFound" }) });
    expect((await screen.findByRole("alert")).textContent).toBe("Customer not found.");
  });
});
