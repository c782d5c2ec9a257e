import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test } from "vitest";
import type { Product } from "../../shared/rules";
import { errorResponse, fillCart, findDialog, LIGHT, offline, openShop, signIn } from "../../test-shop";
import { writeCart } from "./cart-store";

const MINI: Product = { ...LIGHT, id: "p2", name: "Nudgelight Mini", slug: "nudgelight-mini", price: 17.5 };
const RESPONSES = {
  "GET /api/products/nudgelight-one": LIGHT,
  "GET /api/products/nudgelight-mini": MINI,
};

function stored() {
  const lines = JSON.parse(localStorage.getItem("cart") ?? "[]") as { id: string; quantity: number }[];
  return lines.map(({ id, quantity }) => [id, quantity]);
}

/** Opens the cart by a link, and waits for its question. */
async function opensLink(query: string, responses = {}) {
  const shop = openShop(`/cart?${query}`, { ...RESPONSES, ...responses });
  const dialog = await findDialog();
  const title = within(dialog).getByRole("heading").textContent;
  const reasons = () =>
    within(dialog)
      .queryAllByText(/[.]$/, { selector: "li" })
      .map((item) => item.textContent);
  const press = (name: string) => shop.user.click(within(dialog).getByRole("button", { name }));
  return { ...shop, dialog, title, reasons, press };
}

describe("a cart link", () => {
  afterEach(() => writeCart([]));

  test("asks, adds after the answer, and leaves the URL", async () => {
    const { title, press, router } = await opensLink("add=nudgelight-one:2&utm_source=partner#line-p1");
    expect(title).toBe("Add 2 Nudgelight One to your cart?");
    expect(stored()).toEqual([]);
    await press("Add to Cart");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(stored()).toEqual([["p1", 2]]);
    await waitFor(() => expect(router.state.location.search).toBe("?utm_source=partner"));
    expect(router.state.location.hash).toBe("#line-p1");
    expect(router.state.historyAction).toBe("REPLACE");
    await act(() => router.revalidate());
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(stored()).toEqual([["p1", 2]]);
  });

  test.each([["Cancel"], ["Close"], ["Escape"]])("adds nothing after %s", async (way) => {
    fillCart(1);
    const { press, router, user } = await opensLink("add=nudgelight-one:2");
    await (way === "Escape" ? user.keyboard("{Escape}") : press(way));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(stored()).toEqual([["p1", 1]]);
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });

  test("puts the focus into the question, and back to the page", async () => {
    const { dialog, press } = await opensLink("add=nudgelight-one");
    expect(document.activeElement).toBe(within(dialog).getByRole("button", { name: "Cancel" }));
    await press("Add to Cart");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 })));
  });

  test.each(["add=nudgelight-one:2,nudgelight-mini", "add=nudgelight-one:2&add=nudgelight-mini:1"])(
    "lists several products: %s",
    async (query) => {
      const { title, dialog, press } = await opensLink(query);
      expect(title).toBe("Add 2 products to your cart?");
      const rows = within(dialog).getAllByRole("listitem");
      expect(rows.map((row) => row.textContent)).toEqual(["Nudgelight One2 × $24.99", "Nudgelight Mini1 × $17.50"]);
      await press("Add to Cart");
      expect(stored()).toEqual([
        ["p1", 2],
        ["p2", 1],
      ]);
    },
  );

  test("adds up a product that it names in two ways", async () => {
    const { title } = await opensLink("add=nudgelight-one:2,p1:3", { "GET /api/products/p1": LIGHT });
    expect(title).toBe("Add 5 Nudgelight One to your cart?");
  });

  test.each([
    ["add=nudgelight-one:11", 0, 10, "Nudgelight One: Only 10 left."],
    ["add=nudgelight-one:1000000000", 0, 10, "Nudgelight One: Only 10 left."],
    ["add=nudgelight-one:5", 8, 2, "Nudgelight One: Only 10 left. Your cart already has 8."],
  ])("takes what the stock allows: %s with %i in the cart", async (query, held, added, reason) => {
    if (held > 0) fillCart(held);
    const { title, reasons, press } = await opensLink(query);
    expect(title).toBe(`Add ${added} Nudgelight One to your cart?`);
    expect(reasons()).toEqual([reason]);
    await press("Add to Cart");
    expect(stored()).toEqual([["p1", 10]]);
  });

  test("takes at most 99 of one product", async () => {
    const plenty = { "GET /api/products/nudgelight-one": { ...LIGHT, available: 500 } };
    const { title, reasons } = await opensLink("add=nudgelight-one:100", plenty);
    expect(title).toBe("Add 99 Nudgelight One to your cart?");
    expect(reasons()).toEqual(["Nudgelight One: At most 99 per order."]);
  });

  test("counts the units that its owner's open payment reserves", async () => {
    const open = { expiresAt: new Date(Date.now() + 60_000).toISOString(), cart: [{ id: "p1", quantity: 3 }] };
    sessionStorage.setItem("draft:checkout", JSON.stringify({ typed: {}, open }));
    const { title } = await opensLink("add=nudgelight-one:13");
    expect(title).toBe("Add 13 Nudgelight One to your cart?");
    sessionStorage.clear();
  });

  test("says why nothing can be added", async () => {
    fillCart(10);
    const soldOut = { "GET /api/products/nudgelight-mini": { ...MINI, available: 0 } };
    const { title, dialog, reasons, press, router } = await opensLink(
      "add=nudgelight-one:1,nudgelight-mini:1,unknown:1,hidden:1,nudgelight-one:none",
      { ...soldOut, "GET /api/products/hidden": { ...LIGHT, id: "p3", active: false } },
    );
    expect(title).toBe("Nothing to add to your cart");
    expect(reasons()).toEqual([
      "Nudgelight One: Only 10 left. Your cart already has 10.",
      "Nudgelight Mini: Sold out.",
      "2 products in the link aren’t available.",
      "One entry in the link couldn’t be read.",
    ]);
    expect(within(dialog).queryByRole("button", { name: "Add to Cart" })).toBeNull();
    await press("OK");
    expect(stored()).toEqual([["p1", 10]]);
    await waitFor(() => expect(router.state.location.search).toBe(""));
  });

  test("with ten thousand entries takes fifty products and says so", async () => {
    const entries = Array.from({ length: 10_000 }, (_, index) => `nudgelight-${index}:1`);
    const products = entries.slice(0, 50).map((entry, index) => {
      const slug = entry.replace(":1", "");
      return [`GET /api/products/${slug}`, { ...LIGHT, id: `p${index}`, name: slug, slug }];
    });
    const { title, reasons, press, requests } = await opensLink(
      `add=${entries.join(",")}`,
      Object.fromEntries(products),
    );
    expect(title).toBe("Add 50 products to your cart?");
    expect(reasons()).toEqual(["A link can add at most 50 products. The rest were left out."]);
    expect(requests.filter(({ key }) => key.startsWith("GET /api/products/"))).toHaveLength(50);
    await press("Add to Cart");
    expect(stored()).toHaveLength(50);
  });

  test("adds nothing to a cart that is full", async () => {
    fillCart(1);
    const [line] = JSON.parse(localStorage.getItem("cart") ?? "[]") as object[];
    localStorage.setItem(
      "cart",
      JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ ...line, id: `other${id}` }))),
    );
    const { title, reasons } = await opensLink("add=nudgelight-one:1");
    expect(title).toBe("Nothing to add to your cart");
    expect(reasons()).toEqual(["Nudgelight One: At most 50 different products can be ordered at once."]);
  });

  test("shows none of its text", async () => {
    const text = "Your account is locked. Call 555 0100";
    const { dialog, reasons } = await opensLink(`add=${encodeURIComponent(`${text}:1,${text}:x,${text}`)}`);
    expect(dialog.textContent).not.toContain("account");
    expect(reasons()).toHaveLength(2);
  });

  test.each(["", "add=", "add=,,", "ADD=nudgelight-one"])("that asks for nothing asks nothing: %j", async (query) => {
    openShop(`/cart?${query}`, RESPONSES);
    expect(await screen.findByText("Your cart is empty.")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test.each([
    ["offline", offline],
    ["overloaded", errorResponse(503, { code: "Overloaded" })],
  ])("that cannot be loaded leaves the cart as it is and can be tried again: %s", async (_, failure) => {
    fillCart(1);
    const { user, responses } = openShop("/cart?add=nudgelight-one:2", { "GET /api/products/nudgelight-one": failure });
    const retry = await screen.findByRole("button", { name: "Try Again", hidden: true });
    expect(screen.getByText("The products of this link couldn’t be loaded. Your cart is unchanged.")).toBeTruthy();
    expect(stored()).toEqual([["p1", 1]]);
    responses["GET /api/products/nudgelight-one"] = LIGHT;
    await user.click(retry);
    expect(await findDialog("Add 2 Nudgelight One to your cart?")).toBeTruthy();
  });

  test("asks a logged-in customer too", async () => {
    signIn("ada@example.com");
    const { title } = await opensLink("add=nudgelight-one");
    expect(title).toBe("Add 1 Nudgelight One to your cart?");
  });
});
