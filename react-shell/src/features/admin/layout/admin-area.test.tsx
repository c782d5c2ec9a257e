import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { ADMIN_ORDER, findDialog, openShop, signIn } from "../../../test-shop";

const NO_ORDERS = { "GET /api/admin/orders": { orders: [], page: 1, totalPages: 1, total: 0 } };

function signInAsAdmin() {
  signIn("admin@nudgelight.example", ["Admin"]);
}

describe("the admin area", () => {
  // spec: logged-in admins only
  // spec: The admin panel redirects non-admins to /login.
  test("sends visitors to the login", async () => {
    const { router } = openShop("/admin/orders");
    await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  });

  test("sends customers home, by way of the login", async () => {
    signIn("ada@example.com");
    const { router } = openShop("/admin/products");
    await waitFor(() => expect(router.state.location.pathname).toBe("/"));
    expect(screen.queryByText("Admin Panel")).toBeNull();
  });

  // spec: Index redirects to /admin/orders; sub-pages orders and products
  test("begins with the orders, and leads on to the overview and the products", async () => {
    signInAsAdmin();
    const { router } = openShop("/admin", NO_ORDERS);
    const rail = within(await screen.findByRole("navigation", { name: "Admin" }));
    expect(router.state.location.pathname).toBe("/admin/orders");
    expect(rail.getAllByRole("link").map((link) => link.textContent)).toEqual([
      "Overview",
      "Orders",
      "Products",
      "Customers",
      "Money",
      "Taxes",
      "Settings",
      "Health",
    ]);
    expect(rail.getByRole("link", { name: "Orders" }).getAttribute("aria-current")).toBe("page");
    expect(screen.getByRole("link", { name: "Admin Panel" })).toBeTruthy();
  });

  test("is silent about page views where this shop does not count them", async () => {
    signInAsAdmin();
    const nothing = { orders: 0, sales: 0 };
    openShop("/admin/overview", {
      "GET /api/admin/overview": {
        today: nothing,
        last_7_days: nothing,
        last_30_days: nothing,
        days: [{ day: "2026-11-21", orders: 0, sales: 0, page_views: 0 }],
        open_orders: { pending: 0, processing: 0, held: 0, shipped: 0 },
        top_products: [],
        top_pages: [],
        low_stock: [],
        alerts: [],
        disputes: [],
      },
    });
    await screen.findByText("Sales by day");
    expect(screen.queryByText("Page views by day")).toBeNull();
    expect(screen.queryByText("Most viewed pages, last 30 days")).toBeNull();
  });

  describe("opens the order of a scanned packing slip", () => {
    const FOUND = "GET /api/admin/orders?numbers=1001";
    const ORDERS = { ...NO_ORDERS, "GET /api/admin/order/o1": ADMIN_ORDER };
    const page = (orders: object[]) => ({ orders, page: 1, totalPages: 1, total: orders.length });

    async function openOrders(found: object[]) {
      signInAsAdmin();
      const shop = openShop("/admin/orders", { ...ORDERS, [FOUND]: page(found) });
      await screen.findByText("No orders found for the selected criteria.");
      return shop;
    }

    test("whatever button has the focus", async () => {
      const { router, user } = await openOrders([ADMIN_ORDER]);
      screen.getByRole("button", { name: "Shortcuts" }).focus();
      await user.keyboard("NL-1001{Enter}");
      await waitFor(() => expect(router.state.location.pathname).toBe("/admin/order/o1"));
      expect(screen.queryByRole("dialog")).toBeNull();
    });

    test("and says so if there is none", async () => {
      const { router, user } = await openOrders([]);
      await user.keyboard("NL-1001{Enter}");
      expect((await screen.findByRole("alert")).textContent).toBe("There is no order 1001.");
      expect(router.state.location.pathname).toBe("/admin/orders");
    });

    test("but not while a field or a dialog has the focus, nor for other codes", async () => {
      const { user, requests } = await openOrders([]);
      await user.click(screen.getByLabelText("From"));
      await user.keyboard("NL-1001{Enter}");
      screen.getByLabelText("From").blur();
      await user.keyboard("1Z999AA10123456784{Enter}NL-{Enter}NL-0{Enter}");
      await user.keyboard("?");
      await user.keyboard("NL-1001{Enter}");
      expect(requests.filter(({ key }) => key.includes("numbers="))).toEqual([]);
    });
  });

  test("lists its keys on ?, and lets them be turned off", async () => {
    signInAsAdmin();
    const { user } = openShop("/admin/orders", NO_ORDERS);
    await screen.findByText("No orders found for the selected criteria.");
    await user.keyboard("?");
    expect(await findDialog("Keyboard shortcuts")).toBeTruthy();
    await user.click(screen.getByLabelText("Enable single-key shortcuts"));
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.keyboard("?");
    expect(screen.queryByRole("dialog")).toBeNull();
    await user.click(screen.getByRole("button", { name: "Shortcuts" }));
    expect(screen.getByLabelText("Enable single-key shortcuts")).toHaveProperty("checked", false);
  });
});
