import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { errorResponse, LIGHT, offline, openShop, productList } from "../../test-shop";
import type { Product, ProductList } from "../../shared/rules";

const CALL = "GET /api/product-list";

function light(number: number): Product {
  return { ...LIGHT, id: `p${number}`, name: `Light ${number}`, slug: `light-${number}` };
}

/** A page of 200 lights, as the server selects it. */
function pageOfMany(query: Partial<ProductList["query"]>): ProductList {
  const { page = 1 } = query;
  const products = Array.from({ length: 24 }, (_, index) => light((page - 1) * 24 + index + 1));
  return { products, total: 200, pages: 9, query: { search: "", sort: "featured", page, ...query } };
}

const MANY = {
  [CALL]: pageOfMany({}),
  [`${CALL}?page=2`]: pageOfMany({ page: 2 }),
  [`${CALL}?q=amber`]: { ...productList([light(7)]), query: { search: "amber", sort: "featured", page: 1 } },
  [`${CALL}?q=none`]: { ...productList([]), query: { search: "none", sort: "featured", page: 1 } },
  [`${CALL}?sort=price`]: pageOfMany({ sort: "price" }),
};

const names = () => within(screen.getByRole("main")).getAllByRole("article").length;

describe("the product list", () => {
  test("goes to the next page without a new document, counts, and puts the focus on the heading", async () => {
    const { user, router } = openShop("/products", MANY);
    expect((await screen.findByText("200 products, page 1 of 9")).getAttribute("role")).toBe("status");
    await user.click(screen.getByRole("link", { name: "Next page" }));
    expect(await screen.findByText("200 products, page 2 of 9")).toBeTruthy();
    expect(router.state.location.search).toBe("?page=2");
    expect(screen.getByRole("link", { name: "Light 25" }).getAttribute("href")).toBe("/products/light-25");
    expect(screen.getByRole("link", { name: "Page 2" }).getAttribute("aria-current")).toBe("page");
    expect(names()).toBe(24);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
    await waitFor(() => expect(document.title).toBe("Products, page 2 · Nudgelight"));
  });

  test("searches without a new document and keeps the focus in the field", async () => {
    const { user, router } = openShop("/products", MANY);
    const field = await screen.findByRole("searchbox", { name: "Search products" });
    await user.type(field, "amber{Enter}");
    expect(await screen.findByText("1 product for “amber”")).toBeTruthy();
    expect(router.state.location.search).toBe("?q=amber");
    expect(document.activeElement).toBe(field);
  });

  test("that finds nothing offers to clear the search", async () => {
    const { user, router } = openShop("/products?q=none", MANY);
    await user.click(await screen.findByRole("link", { name: "Clear search" }));
    expect(await screen.findByText("200 products, page 1 of 9")).toBeTruthy();
    expect(router.state.location.search).toBe("");
    expect(screen.getByRole("searchbox")).toHaveProperty("value", "");
  });

  test("an empty search is the whole list", async () => {
    const { user, router } = openShop("/products?q=amber", MANY);
    await user.clear(await screen.findByRole("searchbox"));
    await user.click(screen.getByRole("button", { name: "Search" }));
    expect(await screen.findByText("200 products, page 1 of 9")).toBeTruthy();
    expect(router.state.location.search).toBe("");
  });

  test("shows which order it is in", async () => {
    const { user } = openShop("/products", MANY);
    await user.click(await screen.findByRole("link", { name: "Price: low to high" }));
    await waitFor(() =>
      expect(screen.getByRole("link", { name: "Price: low to high" }).getAttribute("aria-current")).toBe("true"),
    );
    expect(screen.getByRole("link", { name: "Featured" }).getAttribute("aria-current")).toBeNull();
  });

  test.each([
    ["offline", offline],
    ["an error", errorResponse(503, { error: "Busy.", code: "Overloaded" })],
  ])("says that it could not be loaded: %s", async (_, response) => {
    openShop("/products", { [CALL]: response });
    expect((await screen.findByRole("alert")).textContent).toContain("Failed to fetch products");
  });
});
