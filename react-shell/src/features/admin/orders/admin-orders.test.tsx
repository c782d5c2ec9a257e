import { render, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { offline, openShop, errorResponse, signIn, type MockResponses } from "../../../test-shop";
import type { AdminOrderListItem } from "./api";
import { BulkActions } from "./bulk-actions";
import type { OrderSelection } from "./order-selection";

const LIST = "GET /api/admin/orders";
const EXPORT = "GET /api/admin/orders.csv";

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
  open_alerts: 2,
};
const SECOND: AdminOrderListItem = { ...FIRST, id: "o2", number: 1002, name: "Grace Hopper", open_alerts: 0 };

const TWO = { orders: [SECOND, FIRST], page: 1, totalPages: 3, total: 22 };
const NONE = { orders: [], page: 1, totalPages: 1, total: 0 };

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function openOrders(search = "", responses: MockResponses = { [LIST]: TWO }) {
  const page = openShop(`/admin/orders${search}`, responses);
  await screen.findByLabelText("Status");
  return page;
}

describe("the orders in the admin area", () => {
  // spec: status filter, table, pagination
  test("are listed with number, date, customer, status and total", async () => {
    await openOrders();
    const row = within((await screen.findByRole("link", { name: "1001" })).closest("tr") ?? document.body);
    for (const text of ["Ada Lovelace", "ada@example.com", "Pending", "2 alerts"]) {
      expect(row.getByText(text)).toBeTruthy();
    }
    // In columns of their own, or below the name on a phone.
    for (const text of ["11/21/2026", "$59.80"]) expect(row.getAllByText(text)).toHaveLength(2);
    expect(screen.getByRole("link", { name: "1001" }).getAttribute("href")).toBe("/admin/order/o1");
  });

  // spec: date range and status filter
  // spec: The admin list filter offers all of these except refunded.
  test("say why one is on hold", async () => {
    await openOrders("?held=true", { [LIST]: { ...TWO, orders: [{ ...FIRST, hold: "lost_dispute" }] } });
    expect(await screen.findByText("On Hold: lost dispute")).toBeTruthy();
    expect(screen.getByText("On hold", { selector: "li *" })).toBeTruthy();
  });

  test("can be filtered by every status except refunded", async () => {
    await openOrders();
    const options = within(screen.getByLabelText("Status")).getAllByRole("option");
    const all = ["All", "Pending", "Processing", "Shipped", "Delivered"];
    expect(options.map((option) => option.textContent)).toEqual(all);
  });

  // spec: pagination
  // spec: query page, limit, startDate, endDate, status
  test("are asked for ten at a time, with the filter of the address", async () => {
    const page = await openOrders("?page=2&status=shipped&q=ada&startDate=2026-11-01&endDate=2026-11-30");
    await screen.findByRole("link", { name: "1001" });
    const query = new URLSearchParams(page.requests.find(({ key }) => key.startsWith(LIST))?.key.split("?")[1]);
    expect(Object.fromEntries(query)).toEqual({
      page: "2",
      limit: "10",
      startDate: "2026-11-01",
      endDate: "2026-11-30",
      status: "shipped",
      q: "ada",
    });
  });

  test("are said to be more than were counted, where a search finds very many", async () => {
    await openOrders("?q=a", { [LIST]: { ...TWO, totalPages: 1000, total: 10_000, more_than_total: true } });
    expect(await screen.findByText("Orders, newest first: more than 10000 in all")).toBeTruthy();
  });

  test("show each filter in force as a chip, which takes it off and begins at the first page", async () => {
    const page = await openOrders("?page=2&status=shipped&q=ada&startDate=2026-11-01");
    const chips = within(await screen.findByRole("list", { name: "Active filters" })).getAllByRole("link");
    expect(chips.map((chip) => chip.textContent)).toEqual([
      "Remove filter: From 11/01/2026",
      "Remove filter: Status: Shipped",
      "Remove filter: Search: ada",
    ]);
    await page.user.click(screen.getByRole("link", { name: /Status: Shipped/ }));
    await waitFor(() => expect(page.router.state.location.search).toBe("?startDate=2026-11-01&q=ada"));
    await waitFor(() => expect(screen.getByLabelText("Status")).toHaveProperty("value", ""));
  });

  test("are searched after /, walked through with j and k, and opened with Enter", async () => {
    const page = await openOrders("", { [LIST]: TWO, "GET /api/admin/order/o1": offline });
    await screen.findByRole("link", { name: "1002" });
    await page.user.keyboard("/");
    expect(document.activeElement).toBe(screen.getByLabelText("Search"));
    await page.user.keyboard("jk/");
    expect(screen.getByLabelText("Search")).toHaveProperty("value", "jk/");
    screen.getByLabelText("Search").blur();
    const focused = () => document.activeElement?.textContent;
    await page.user.keyboard("j");
    expect(focused()).toBe("1002");
    await page.user.keyboard("jj");
    expect(focused()).toBe("1001");
    await page.user.keyboard("k");
    expect(focused()).toBe("1002");
    await page.user.keyboard("j{Enter}");
    await waitFor(() => expect(page.router.state.location.pathname).toBe("/admin/order/o1"));
  });

  test("that are none are told, with the way back to all of them", async () => {
    const page = await openOrders("?q=nobody", { [LIST]: NONE });
    expect(await screen.findByText("No orders found for the selected criteria.")).toBeTruthy();
    await page.user.click(screen.getByRole("link", { name: "Show All Orders" }));
    await waitFor(() => expect(page.router.state.location.search).toBe(""));
  });

  test("that cannot be had are told, and can be asked for again", async () => {
    let isAway = true;
    const page = await openOrders("", { [LIST]: () => (isAway ? offline() : Response.json(TWO)) });
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to fetch orders. Please try again later.");
    isAway = false;
    await page.user.click(screen.getByRole("button", { name: "Try Again" }));
    expect(await screen.findByRole("link", { name: "1001" })).toBeTruthy();
  });

  test("name the date that is wrong, beside its field", async () => {
    const wrong = { error: "Wrong.", code: "InvalidRequest", fields: { startDate: "This must be a date." } };
    await openOrders("?startDate=tomorrow", { [LIST]: errorResponse(400, wrong) });
    expect(await screen.findByText("This must be a date.")).toBeTruthy();
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByLabelText("From").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole("link", { name: /From tomorrow$/ })).toBeTruthy();
  });

  test("say that they cannot be had where no field is to blame", async () => {
    const wrong = { error: "Wrong.", code: "InvalidRequest", fields: { page: "Pages begin at 1." } };
    await openOrders("?page=0", { [LIST]: errorResponse(400, wrong) });
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to fetch orders. Please try again later.");
  });

  describe("as a file", () => {
    async function opensExport(search: string, responses: MockResponses) {
      const page = await openOrders(search, { [LIST]: TWO, ...responses });
      await page.user.click(await screen.findByRole("button", { name: "Export CSV" }));
      return page;
    }

    function savedFiles() {
      const saved = vi.fn<(url: string) => string>(() => "blob:orders");
      vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: saved, revokeObjectURL: () => undefined }));
      return saved;
    }

    const FILE = { [EXPORT]: () => new Response("number\r\n1001\r\n") };

    test("are those of the same filter, whatever page is shown", async () => {
      const saved = savedFiles();
      const page = await opensExport("?page=2&status=shipped", FILE);
      await page.user.click(screen.getByRole("button", { name: "Export" }));
      await waitFor(() => expect(saved).toHaveBeenCalledOnce());
      expect(page.sent(`${EXPORT}?status=shipped`)).toHaveLength(1);
      expect(screen.queryByRole("dialog")).toBeNull();
    });

    test("are those selected, with the columns of the label software, which is remembered", async () => {
      const saved = savedFiles();
      const page = await openOrders("?status=shipped", { [LIST]: TWO, ...FILE });
      await page.user.click(await screen.findByLabelText("Select order 1001"));
      await page.user.click(screen.getByRole("button", { name: "Export CSV" }));
      await page.user.selectOptions(screen.getByLabelText("Columns"), "canada_post");
      await page.user.click(screen.getByLabelText("Start with a byte-order mark, for Excel"));
      await page.user.click(screen.getByRole("button", { name: "Export" }));
      await waitFor(() => expect(saved).toHaveBeenCalledOnce());
      expect(page.sent(`${EXPORT}?numbers=1001&columns=canada_post&bom=true`)).toHaveLength(1);
      await page.user.click(screen.getByRole("button", { name: "Export CSV" }));
      expect(screen.getByLabelText("Columns")).toHaveProperty("value", "canada_post");
    });

    test("say which orders they leave out", async () => {
      savedFiles();
      const headers = { "X-Left-Out-Refunded": "2", "X-Left-Out-On-Hold": "1", "X-Already-Shipped": "1" };
      const page = await opensExport("", { [EXPORT]: () => new Response("number\r\n", { headers }) });
      await page.user.click(screen.getByRole("button", { name: "Export" }));
      expect(await screen.findByText("2 orders left out: all items refunded")).toBeTruthy();
      expect(screen.getByText("1 order left out: on hold")).toBeTruthy();
      expect(screen.getByText("1 order in the file has already shipped")).toBeTruthy();
    });

    test("say when it could not be made", async () => {
      const page = await opensExport("", { [EXPORT]: offline });
      await page.user.click(screen.getByRole("button", { name: "Export" }));
      expect((await screen.findByRole("alert")).textContent).toBe("Failed to export orders. Please try again later.");
      expect(screen.getByRole("button", { name: "Export" }).getAttribute("aria-disabled")).toBe("false");
    });
  });

  describe("are selected", () => {
    const THIRD: AdminOrderListItem = { ...FIRST, id: "o3", number: 1003 };
    const THREE = { orders: [THIRD, SECOND, FIRST], page: 1, totalPages: 1, total: 3 };
    const slips = () => screen.getByRole("link", { name: "Packing Slips" }).getAttribute("href");

    async function openThree() {
      const page = await openOrders("?status=pending", { [LIST]: THREE });
      await screen.findByLabelText("Select order 1003");
      return page;
    }

    test("one by one, with x where the focus is, or all of a page", async () => {
      const { user } = await openThree();
      expect(slips()).toBe("/admin/packing-slips?status=pending");
      await user.click(screen.getByLabelText("Select order 1003"));
      await user.keyboard("jx");
      expect(slips()).toBe("/admin/packing-slips?numbers=1003%2C1002");
      expect(screen.getByText("2 selected")).toBeTruthy();
      await user.keyboard("x");
      expect(slips()).toBe("/admin/packing-slips?numbers=1003");
      await user.click(screen.getByLabelText("Select all on this page"));
      expect(screen.getByText("3 selected")).toBeTruthy();
      await user.click(screen.getByRole("button", { name: "Clear selection" }));
      expect(slips()).toBe("/admin/packing-slips?status=pending");
    });

    test("or none: then the packing slips are those of the orders to pack, unless the filter has a status", async () => {
      const held = await openOrders("?held=true", { [LIST]: THREE });
      await screen.findByLabelText("Select order 1003");
      expect(slips()).toBe("/admin/packing-slips?held=true");
      held.unmount();
      const { user } = await openOrders("?q=Ada", { [LIST]: THREE });
      await screen.findByLabelText("Select order 1003");
      expect(slips()).toBe("/admin/packing-slips?status=pending&held=false&sort=oldest&q=Ada");
      await user.click(screen.getByLabelText("Select order 1002"));
      expect(slips()).toBe("/admin/packing-slips?numbers=1002");
    });

    test("as a range with the Shift key", async () => {
      const { user } = await openThree();
      await user.click(screen.getByLabelText("Select order 1001"));
      await user.keyboard("{Shift>}");
      await user.click(screen.getByLabelText("Select order 1003"));
      await user.keyboard("{/Shift}");
      expect(screen.getByText("3 selected")).toBeTruthy();
      expect(screen.getByLabelText("Select order 1002")).toHaveProperty("checked", true);
    });

    test("at most two hundred at once", () => {
      const select = (count: number): OrderSelection => ({
        numbers: new Set(Array.from({ length: count }, (_, index) => 1001 + index)),
        isAllMatching: false,
        selectAllMatching: vi.fn<OrderSelection["selectAllMatching"]>(),
        toggle: vi.fn<OrderSelection["toggle"]>(),
        toggleAll: vi.fn<OrderSelection["toggleAll"]>(),
        clear: vi.fn<OrderSelection["clear"]>(),
      });
      const actions = (count: number) => (
        <MemoryRouter>
          <BulkActions selection={select(count)} onStatus={vi.fn<() => void>()} />
        </MemoryRouter>
      );
      const { rerender } = render(actions(200));
      expect(slips()).toMatch(/^\/admin\/packing-slips\?numbers=1001%2C.*%2C1200$/);
      rerender(actions(201));
      expect(screen.getByRole("alert").textContent).toMatch(/^At most 200 orders can be selected at once/);
      expect(screen.queryByRole("link", { name: "Packing Slips" })).toBeNull();
    });
  });
});
