import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { ADMIN_ORDER, findDialog, LIGHT, openShop, signIn } from "../../../../test-shop";

const FOUND = { orders: [ADMIN_ORDER], page: 1, totalPages: 1, total: 1 };

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function opens(found = FOUND) {
  const page = openShop("/admin/tracking-import", {
    "GET /api/admin/orders": found,
    "GET /api/admin/products": { products: [], page: 1, totalPages: 1, total: 0 },
    "GET /api/admin/products?q=nudge&limit=5": { products: [LIGHT], page: 1, totalPages: 1, total: 1 },
    "GET /api/admin/order/o1": ADMIN_ORDER,
    "GET /api/admin/order/o1/neighbors": { next: "o0" },
  });
  await screen.findByRole("heading", { name: "Import Tracking Numbers" });
  await page.user.keyboard("{Control>}k{/Control}");
  await findDialog("Go to…");
  return page;
}

const active = () => screen.getByRole("option", { selected: true }).textContent;

describe("the command palette", () => {
  test("goes to a page by a part of its name, with the keyboard alone", async () => {
    const page = await opens();
    await page.user.keyboard("to ship");
    expect(active()).toBe("Orders to shipPage");
    await page.user.keyboard("{Enter}");
    await waitFor(() => expect(page.router.state.location.search).toBe("?status=processing&held=false"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("finds orders by number, name or slip code, and products", async () => {
    const page = await opens();
    await page.user.keyboard("NL-1001");
    expect(await screen.findByRole("option", { name: /1001 · Ada Lovelace/ })).toBeTruthy();
    expect(page.sent("GET /api/admin/orders?q=NL-1001&limit=5")).toHaveLength(1);
    await page.user.clear(screen.getByRole("combobox"));
    await page.user.keyboard("nudge");
    expect(await screen.findByRole("option", { name: /Nudgelight One/ })).toBeTruthy();
    expect(page.sent("GET /api/admin/products?q=nudge&limit=5")).toHaveLength(1);
    await page.user.keyboard("{ArrowDown}{ArrowUp}");
    expect(active()).toBe("Nudgelight OneProduct");
  });

  test("leads to the list where it shows only some of the orders", async () => {
    const page = await opens({ ...FOUND, totalPages: 2, total: 9 });
    await page.user.keyboard("lovelace");
    await screen.findByRole("option", { name: /1001/ });
    expect(screen.getByRole("status").textContent).toBe("2 results.");
    await page.user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(page.router.state.location.search).toBe("?q=lovelace"));
  });

  test("opens an order, whose page leads to the next one in the list", async () => {
    const page = await opens();
    await page.user.keyboard("ada");
    await screen.findByRole("option", { name: /1001/ });
    await page.user.keyboard("{Enter}");
    const next = await screen.findByRole("link", { name: "Next" });
    expect(next.getAttribute("href")).toBe("/admin/order/o0");
    expect(screen.queryByRole("link", { name: "Previous" })).toBeNull();
  });
});
