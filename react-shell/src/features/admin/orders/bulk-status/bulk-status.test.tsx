import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { errorResponse, offline, openShop, signIn, type MockResponses } from "../../../../test-shop";
import type { AdminOrderListItem } from "../api";

const LIST = "GET /api/admin/orders";
const PREVIEW = "GET /api/admin/order-status/preview";
const UPDATE = "PATCH /api/admin/order-status";
const COUNTS = "GET /api/admin/order-counts";

const FIRST: AdminOrderListItem = {
  id: "o1",
  number: 1001,
  order_date: "2026-11-21T12:00:00Z",
  order_date_local: "2026-11-21T12:00:00Z",
  total: 59.8,
  status: "pending",
  name: "Ada Lovelace",
  user_email: "ada@example.com",
  payment: "paid",
  open_alerts: 0,
};
const PAGE = { orders: [FIRST], page: 1, totalPages: 15, total: 1500 };
const WOULD_CHANGE = { orders: [{ number: 1001, version: 1, status: "pending" }], unchanged: 3, refunded: 2, held: 1 };
const CHANGED = { changed: [{ number: 1001, version: 2 }], conflicts: [] };

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function opensList(search: string, responses: MockResponses = {}) {
  const page = openShop(`/admin/orders${search}`, {
    [LIST]: PAGE,
    [COUNTS]: { all: 1500, pending: 12, processing: 3, held: 2, open_alerts: 0 },
    [PREVIEW]: WOULD_CHANGE,
    [UPDATE]: CHANGED,
    ...responses,
  });
  await screen.findByRole("link", { name: "1001" });
  return page;
}

async function changesStatus(search: string, responses: MockResponses = {}) {
  const page = await opensList(search, responses);
  await page.user.click(screen.getByLabelText("Select order 1001"));
  await page.user.click(screen.getByRole("button", { name: "Change Status…" }));
  await screen.findByText("1 pending order will become processing.");
  return page;
}

describe("the list of many orders", () => {
  test("has tabs with the numbers of their orders", async () => {
    await opensList("?status=pending&held=false");
    const tabs = within(screen.getByRole("navigation", { name: "Order lists" })).getAllByRole("link");
    await waitFor(() =>
      expect(tabs.map((tab) => tab.textContent)).toEqual(["All1,500", "To pack12", "To ship3", "On hold2", "Alerts0"]),
    );
    expect(tabs.map((tab) => tab.getAttribute("aria-current"))).toEqual([null, "page", null, null, null]);
    const paths = [
      "?status=pending&held=false&sort=oldest",
      "?status=processing&held=false",
      "?held=true",
      "?open_alerts=true",
    ];
    expect(tabs.slice(1).map((tab) => tab.getAttribute("href"))).toEqual(paths.map((path) => `/admin/orders${path}`));
  });

  test("says which order it is in, and keeps it when it is filtered", async () => {
    const page = await opensList("?status=pending&sort=oldest");
    expect(page.sent(`${LIST}?page=1&limit=10&status=pending&sort=oldest`)).toHaveLength(1);
    expect(screen.getByText("Orders, oldest first: 1500 in all")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Remove filter: Oldest first" })).toBeTruthy();
    await page.user.type(screen.getByLabelText("Search"), "ada{Enter}");
    await waitFor(() => expect(page.router.state.location.search).toContain("q=ada"));
    expect(page.router.state.location.search).toContain("sort=oldest");
    const slips = screen.getByRole("link", { name: "Packing Slips" });
    expect(slips.getAttribute("href")).toContain("sort=oldest");
  });

  test("keeps its selection, in its order, while its slips are visited", async () => {
    const page = await opensList("?status=pending&sort=oldest", {
      "GET /api/admin/packing-slips": () => new Response("<p>Slips</p>"),
    });
    await page.user.click(screen.getByLabelText("Select order 1001"));
    await page.user.click(screen.getByRole("link", { name: "Packing Slips" }));
    await screen.findByText("Slips");
    expect(page.sent("GET /api/admin/packing-slips?numbers=1001&sort=oldest")).toHaveLength(1);
    await page.router.navigate(-1);
    expect(await screen.findByLabelText("Select order 1001")).toHaveProperty("checked", true);
    expect(screen.getByText("1 selected")).toBeTruthy();
  });

  test("says when new orders have come, without moving anything, and in the title of the tab", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const page = await opensList("?status=pending");
      const line = screen.getAllByRole("status").find((status) => status.className.includes("h-6"));
      expect(line?.textContent).toBe("");
      page.responses[COUNTS] = { all: 1503, pending: 15, processing: 3, open_alerts: 0 };
      await vi.advanceTimersByTimeAsync(60_000);
      await waitFor(() => expect(line?.textContent).toBe("3 new orders – Show"));
      expect(document.title).toMatch(/^\(3\) Orders/);
      expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Orders");
      const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
      await user.click(within(line ?? document.body).getByRole("link", { name: "Show" }));
      await waitFor(() => expect(document.title).toMatch(/^Orders/));
      expect(page.router.state.location.search).toBe("");
      expect(page.sent(`${LIST}?page=1&limit=10`)).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  test("has as many rows as chosen last, in the address and in this browser", async () => {
    const page = await opensList("?page=2", { [LIST]: { ...PAGE, page: 2 } });
    expect(screen.getByText("11–11 of 1,500")).toBeTruthy();
    await page.user.selectOptions(screen.getByLabelText("Rows per page"), "25");
    await waitFor(() => expect(page.router.state.location.search).toBe("?limit=25"));
    expect(page.sent(`${LIST}?page=1&limit=25`)).toHaveLength(1);
    page.unmount();
    const again = await opensList("");
    expect(again.sent(`${LIST}?page=1&limit=25`)).toHaveLength(1);
    localStorage.removeItem("ordersPerPage");
  });

  test("is filtered by payment, country and product", async () => {
    const page = await opensList("");
    expect(page.sent("GET /api/products")).toHaveLength(0);
    await page.user.click(screen.getByText("More filters"));
    await page.user.selectOptions(screen.getByLabelText("Payment"), "Partially refunded");
    await page.user.selectOptions(screen.getByLabelText("Country"), "Canada");
    await screen.findByRole("option", { name: "Nudgelight One" });
    await page.user.selectOptions(screen.getByLabelText("Product"), "Nudgelight One");
    await page.user.click(screen.getByRole("button", { name: "Filter" }));
    await screen.findByRole("link", { name: "Remove filter: Country: Canada" });
    const query = new URLSearchParams(page.router.state.location.search);
    expect([query.get("payment"), query.get("country"), query.get("product")]).toEqual([
      "partially_refunded",
      "CA",
      "p1",
    ]);
  });

  test("is selected whole after its page", async () => {
    const page = await opensList("?status=pending");
    await page.user.click(screen.getByLabelText("Select all on this page"));
    await page.user.click(screen.getByRole("button", { name: "Select all 1,500 that match" }));
    expect(screen.getByText("All 1,500 that match are selected")).toBeTruthy();
    await page.user.click(screen.getByRole("button", { name: "Change Status…" }));
    await screen.findByText("1 pending order will become processing.");
    expect(page.sent(`${PREVIEW}?status=pending&to=processing`)).toHaveLength(1);
  });
});

describe("a change of many orders", () => {
  test("that are too many at once says why and how many are possible, and changes nothing", async () => {
    const message = "At most 10,000 orders change at once. Choose fewer, for example by date.";
    const page = await opensList("?status=pending", {
      [LIST]: { ...PAGE, total: 48_530, totalPages: 4_853 },
      [PREVIEW]: errorResponse(400, { error: message, code: "InvalidRequest", fields: { to: message } }),
    });
    await page.user.click(screen.getByLabelText("Select all on this page"));
    await page.user.click(screen.getByRole("button", { name: "Select all 48,530 that match" }));
    await page.user.click(screen.getByRole("button", { name: "Change Status…" }));
    const dialog = within(screen.getByRole("dialog"));
    expect((await dialog.findByRole("alert")).textContent).toBe(message);
    expect(dialog.queryByRole("button", { name: "Change 0 orders" })).toBeNull();
    expect(dialog.getByRole("button", { name: "Change Status" }).getAttribute("aria-disabled")).toBe("true");
  });

  test("says first what it would do, and is taken back by Undo", async () => {
    const page = await changesStatus("");
    expect(screen.getByText("3 orders are already processing.")).toBeTruthy();
    expect(screen.getByText("2 refunded orders are skipped.")).toBeTruthy();
    expect(screen.getByText("1 order on hold is skipped.")).toBeTruthy();
    const options = within(screen.getByLabelText("New status")).getAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual(["Pending", "Processing", "Shipped", "Delivered"]);
    expect(page.sent(UPDATE)).toHaveLength(0);
    await page.user.click(screen.getByRole("button", { name: "Change 1 order" }));
    await screen.findByText("1 order changed to Processing.");
    page.responses[UPDATE] = { changed: [{ number: 1001, version: 3 }], conflicts: [] };
    await page.user.click(screen.getByRole("button", { name: "Undo" }));
    await screen.findByText("1 order changed back.");
    expect(page.sent(UPDATE).map(({ body }) => body)).toEqual([
      { orders: [{ number: 1001, version: 1, status: "processing" }], notify_customer: true },
      { orders: [{ number: 1001, version: 2, status: "pending" }], notify_customer: false },
    ]);
    expect(document.activeElement).not.toBe(document.body);
  });

  test("that emails the customers has no Undo", async () => {
    const page = await changesStatus("");
    await page.user.selectOptions(screen.getByLabelText("New status"), "Shipped");
    await screen.findByText("1 pending order will become shipped.");
    expect(screen.getByLabelText("Email the customers")).toHaveProperty("checked", true);
    await page.user.click(screen.getByRole("button", { name: "Change 1 order" }));
    await screen.findByText("1 order changed to Shipped.");
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });

  test("names the orders that someone else has changed, and says when it stopped", async () => {
    const page = await changesStatus("", { [UPDATE]: { changed: [], conflicts: [1001] } });
    await page.user.click(screen.getByRole("button", { name: "Change 1 order" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/1 order changed in the meantime/);
    page.unmount();
    const offlinePage = await changesStatus("", { [UPDATE]: offline });
    await offlinePage.user.click(screen.getByRole("button", { name: "Change 1 order" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/^The change stopped after 0 of 1 order/);
  });
});
