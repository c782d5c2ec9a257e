import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, assert, describe, expect, test, vi } from "vitest";
import { fillCart, LIGHT, openShop, signIn } from "../../test-shop";
import { loadDocument } from "../../shared/document-navigation";
import { takeReturnPath } from "../../shared/return-path";
import type { Product } from "../../shared/rules";
import { readCart, writeCart } from "./cart-store";

const MINI: Product = { ...LIGHT, id: "p2", name: "Nudgelight Mini", slug: "nudgelight-mini", price: 17.5 };

function stored() {
  return JSON.parse(localStorage.getItem("cart") ?? "[]") as { id: string; quantity: number; price: number }[];
}

/** The value beside a label of the summary. */
function valueOf(label: string) {
  return screen.getByText(label).nextElementSibling?.textContent;
}

describe("the cart", () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    // Also clears a cart in memory.
    writeCart([]);
  });

  // spec: Empty state: Your cart is empty.
  // spec: Cart: Your cart is empty.
  test("is empty at first", async () => {
    openShop("/cart");
    expect(await screen.findByText("Your cart is empty.")).toBeTruthy();
  });

  // spec: /cart
  // spec: list with name, unit price, editable quantity (minimum 1), line total, a remove button, a grand total and a Proceed to Checkout button
  // spec: kept in browser storage under a cart key
  // spec: The cart persists in browser storage.
  test("shows each line, the badge and the total", async () => {
    fillCart(2);
    openShop("/cart");
    expect(await screen.findByText("Nudgelight One")).toBeTruthy();
    expect(screen.getAllByText("$49.98")).toHaveLength(2);
    expect(screen.getByTestId("cart-count").textContent).toMatch(/^2/);
    expect(screen.getByText("$6.20")).toBeTruthy();
  });

  // spec: quantity can be updated
  test("follows a new quantity at once, in the total, the badge and storage", async () => {
    fillCart(2);
    openShop("/cart");
    fireEvent.change(await screen.findByLabelText("Quantity of Nudgelight One"), { target: { value: "3" } });
    expect(screen.getAllByText("$74.97")).toHaveLength(2);
    await waitFor(() => expect(screen.getByTestId("cart-count").textContent).toMatch(/^3/));
    expect(stored()[0]?.quantity).toBe(3);
  });

  // spec: Cart quantity minimum 1.
  test.each(["0", "-1", "2.5", "", "100"])("does not take %j for a quantity", async (typed) => {
    fillCart(2);
    openShop("/cart");
    const field = await screen.findByLabelText("Quantity of Nudgelight One");
    fireEvent.change(field, { target: { value: typed } });
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(stored()[0]?.quantity).toBe(2);
    fireEvent.blur(field);
    expect(field).toHaveProperty("value", typed);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    fireEvent.click(screen.getByRole("button", { name: "Proceed to Checkout" }));
    expect(document.activeElement).toBe(field);
    expect(loadDocument).not.toHaveBeenCalled();
  });

  test("keeps its quantity when the first digits of an invalid one are valid", async () => {
    fillCart(2);
    openShop("/cart");
    const field = await screen.findByLabelText("Quantity of Nudgelight One");
    for (const value of ["5", "50", "500"]) fireEvent.change(field, { target: { value } });
    fireEvent.blur(field);
    expect(stored()[0]?.quantity).toBe(2);
    fireEvent.change(field, { target: { value: "3" } });
    fireEvent.blur(field);
    expect(stored()[0]?.quantity).toBe(3);
    expect(field.getAttribute("aria-invalid")).toBeNull();
  });

  test("does not take more than there is", async () => {
    fillCart(2);
    openShop("/cart");
    fireEvent.change(await screen.findByLabelText("Quantity of Nudgelight One"), { target: { value: "11" } });
    expect(screen.getByText("Not enough stock available")).toBeTruthy();
    expect(stored()[0]?.quantity).toBe(2);
  });

  // spec: items can be removed
  test("lets a line go", async () => {
    fillCart(2);
    const { user } = openShop("/cart");
    await user.click(await screen.findByRole("button", { name: "Remove Nudgelight One" }));
    expect(screen.getByText("Your cart is empty.")).toBeTruthy();
    expect(stored()).toEqual([]);
  });

  test.each([1, 2])("says which of %i lines is removed, and the focus goes to Undo", async (lines) => {
    fillCart(2);
    const [line] = stored();
    const other = { ...line, id: "p2", name: "Nudgelight Mini" };
    if (lines === 2) localStorage.setItem("cart", JSON.stringify([line, other]));
    const { user } = openShop("/cart");
    await user.click(await screen.findByRole("button", { name: "Remove Nudgelight One" }));
    expect(screen.getByText("Nudgelight One was removed from your cart.").getAttribute("role")).toBe("status");
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
  });

  test("puts a removed line back at its place with its quantity, and the focus goes there", async () => {
    fillCart(2);
    localStorage.setItem("cart", JSON.stringify([...stored(), { ...MINI, quantity: 1 }]));
    const { user } = openShop("/cart", { "GET /api/products": [LIGHT, MINI] });
    await user.click(await screen.findByRole("button", { name: "Remove Nudgelight One" }));
    expect(stored().map(({ id }) => id)).toEqual(["p2"]);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(stored().map(({ id, quantity }) => [id, quantity])).toEqual([
      ["p1", 2],
      ["p2", 1],
    ]);
    expect(document.activeElement).toBe(screen.getByLabelText("Quantity of Nudgelight One"));
    expect(screen.queryByText(/was removed from your cart/)).toBeNull();
  });

  test("puts the only line back into an empty cart", async () => {
    fillCart(3);
    const { user } = openShop("/cart");
    await user.click(await screen.findByRole("button", { name: "Remove Nudgelight One" }));
    expect(screen.getByText("Your cart is empty.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(screen.getByLabelText("Quantity of Nudgelight One")).toHaveProperty("value", "3");
  });

  test("steps by one from the number, and no further than one and what is there", async () => {
    fillCart(9);
    const { user } = openShop("/cart");
    const field = await screen.findByLabelText("Quantity of Nudgelight One");
    const [fewer, more] = ["One fewer Nudgelight One", "One more Nudgelight One"].map((name) =>
      screen.getByRole("button", { name }),
    );
    assert(fewer && more);
    await user.click(more);
    expect(field).toHaveProperty("value", "10");
    expect(screen.getByText("Only 10 left.")).toBeTruthy();
    await user.click(more);
    expect(stored()[0]?.quantity).toBe(10);
    expect(more.getAttribute("aria-disabled")).toBe("true");
    await user.click(fewer);
    expect(stored()[0]?.quantity).toBe(9);
    expect(screen.queryByText("Only 10 left.")).toBeNull();
    for (let presses = 0; presses < 9; presses += 1) fireEvent.click(fewer);
    expect(stored()[0]?.quantity).toBe(1);
    expect(fewer.getAttribute("aria-disabled")).toBe("true");
  });

  test("takes today's price and stock from the catalog, and says what changed", async () => {
    fillCart(2);
    openShop("/cart", { "GET /api/products": [{ ...LIGHT, price: 19.99, available: 1 }] });
    expect(await screen.findByText("Only 1 left. You had 2; it’s 1 now.")).toBeTruthy();
    expect(screen.getByText("Price changed from $24.99 to $19.99")).toBeTruthy();
    expect(screen.getByText("Some items have changed since you added them.")).toBeTruthy();
    expect(screen.getByLabelText("Quantity of Nudgelight One")).toHaveProperty("value", "1");
    expect(screen.getAllByText("$19.99")).toHaveLength(3);
    expect(stored()[0]).toMatchObject({ price: 19.99, quantity: 1 });
  });

  test("still says after a reload that it reduced a quantity, until the customer chooses another", async () => {
    fillCart(4);
    const fewer = { "GET /api/products": [{ ...LIGHT, available: 2 }] };
    const { unmount } = openShop("/cart", fewer);
    await screen.findByText("Only 2 left. You had 4; it’s 2 now.");
    unmount();
    openShop("/cart", fewer);
    expect(await screen.findByText("Only 2 left. You had 4; it’s 2 now.")).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Quantity of Nudgelight One"), { target: { value: "1" } });
    expect(screen.queryByText(/You had/)).toBeNull();
    fireEvent.change(screen.getByLabelText("Quantity of Nudgelight One"), { target: { value: "2" } });
    expect(screen.queryByText(/You had/)).toBeNull();
    expect(screen.getByText("Only 2 left.")).toBeTruthy();
  });

  test("reduces no quantity on another page, where nobody would see it", async () => {
    fillCart(4);
    openShop("/products", { "GET /api/products": [{ ...LIGHT, available: 2 }] });
    await waitFor(() => expect(readCart()[0]?.available).toBe(2));
    expect(stored()[0]?.quantity).toBe(4);
  });

  test("still says what changed about a line that is removed and put back", async () => {
    fillCart(2);
    const { user } = openShop("/cart", { "GET /api/products": [{ ...LIGHT, price: 19.99 }] });
    await screen.findByText("Price changed from $24.99 to $19.99");
    await user.click(screen.getByRole("button", { name: "Remove Nudgelight One" }));
    expect(screen.queryByText(/Price changed/)).toBeNull();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(await screen.findByText("Price changed from $24.99 to $19.99")).toBeTruthy();
  });

  test("says what a line cost before its price changed, until the line goes", async () => {
    fillCart(2);
    const cheaper = { "GET /api/products": [{ ...LIGHT, price: 19.99 }] };
    const { unmount } = openShop("/products", cheaper);
    await waitFor(() => expect(stored()[0]?.price).toBe(19.99));
    unmount();
    const { user } = openShop("/cart", cheaper);
    expect(await screen.findByText("Price changed from $24.99 to $19.99")).toBeTruthy();
    const [line] = readCart();
    assert(line);
    await user.click(screen.getByRole("button", { name: "Remove Nudgelight One" }));
    expect(screen.getByText("Your cart is empty.")).toBeTruthy();
    act(() => writeCart([line]));
    expect(await screen.findByLabelText("Quantity of Nudgelight One")).toBeTruthy();
    expect(screen.queryByText(/Price changed/)).toBeNull();
  });

  test.each([
    ["sold out", [{ ...LIGHT, available: 0 }, MINI], "Sold out · Not included in the total"],
    ["withdrawn", [MINI], "No longer available · Not included in the total"],
  ])("neither counts nor orders a line that is %s", async (_state, products, message) => {
    signIn("ada@example.com");
    fillCart(2);
    localStorage.setItem("cart", JSON.stringify([...stored(), { ...MINI, quantity: 1 }]));
    const { user, sent } = openShop("/cart", { "GET /api/products": products });
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.queryByLabelText("Quantity of Nudgelight One")).toBeNull();
    expect(screen.queryByText("$49.98")).toBeNull();
    expect(screen.getAllByText("$17.50")).toHaveLength(3);
    expect(stored()).toHaveLength(2);
    await user.click(screen.getByRole("button", { name: "Proceed to Checkout" }));
    await waitFor(() => expect(loadDocument).toHaveBeenCalledWith("/checkout"));
    expect(sent("POST /api/payments/create-intent")).toEqual([]);
  });

  test("leads nowhere when nothing in it can be ordered, and says why", async () => {
    fillCart(2);
    openShop("/cart", { "GET /api/products": [{ ...LIGHT, available: 0 }] });
    await screen.findByText("Sold out · Not included in the total");
    expect(screen.getByRole("button", { name: "Proceed to Checkout" }).getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText("None of these items can be ordered right now.")).toBeTruthy();
    expect(screen.getByText("$0.00")).toBeTruthy();
  });

  test("counts the units that its owner's open payment reserves", async () => {
    fillCart(2);
    const open = { expiresAt: new Date(Date.now() + 60_000).toISOString(), cart: stored() };
    sessionStorage.setItem("draft:checkout", JSON.stringify({ typed: {}, open }));
    openShop("/cart", { "GET /api/products": [{ ...LIGHT, available: 0 }] });
    expect(await screen.findByLabelText("Quantity of Nudgelight One")).toBeTruthy();
    expect(screen.getAllByText("$49.98")).toHaveLength(2);
  });

  test("puts the focus into the line that a link names", async () => {
    fillCart(2);
    openShop("/cart#line-p1");
    const field = await screen.findByLabelText("Quantity of Nudgelight One");
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  test("lives in memory where the browser stores nothing, says so, and does not lead into a checkout it would not reach", async () => {
    vi.spyOn(window, "localStorage", "get").mockImplementation(() => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    });
    signIn("ada@example.com");
    const { user, router } = openShop("/products/nudgelight-one", { "GET /api/products/nudgelight-one": LIGHT });
    await user.click(await screen.findByRole("button", { name: "Add to Cart" }));
    await waitFor(() => expect(screen.getByTestId("cart-count").textContent).toMatch(/^1/));
    await act(() => router.navigate("/cart"));
    expect((await screen.findByRole("alert")).textContent).toMatch(/your cart lasts only until you reload or close/);
    expect(screen.getAllByText("$24.99").length).toBeGreaterThan(1);
    expect(screen.getByRole("button", { name: "Proceed to Checkout" }).getAttribute("aria-disabled")).toBe("true");
  });

  test("asks for a state before it estimates the tax, and remembers the destination", async () => {
    fillCart(2);
    const { user, unmount } = openShop("/cart");
    expect(await screen.findByText("Choose a state")).toBeTruthy();
    expect(valueOf("Total before tax")).toBe("$56.18");
    await user.selectOptions(screen.getByLabelText("State"), "CA");
    await waitFor(() => expect(valueOf("Estimated tax")).toBe("$3.62"));
    expect(["Subtotal", "Shipping", "Estimated total"].map(valueOf)).toEqual(["$49.98", "$6.20", "$59.80"]);
    unmount();
    openShop("/cart");
    expect(await screen.findByLabelText("State")).toHaveProperty("value", "CA");
    await waitFor(() => expect(valueOf("Estimated tax")).toBe("$3.62"));
  });

  test("asks for a province in Canada, and says that duties may apply", async () => {
    fillCart(2);
    const { user } = openShop("/cart");
    await user.selectOptions(await screen.findByLabelText("Ship to"), "CA");
    expect(screen.getByText(/duties may apply in Canada/)).toBeTruthy();
    expect(valueOf("Shipping")).toBe("$14.45");
    await user.selectOptions(screen.getByLabelText("Province"), "QC");
    await waitFor(() => expect(valueOf("Estimated tax")).toBe("$9.65"));
    expect(valueOf("Estimated total")).toBe("$74.08");
  });

  test("forgets a destination that does not exist", async () => {
    fillCart(2);
    localStorage.setItem("cart-destination", '{"country":"CA","state":"NY"}');
    openShop("/cart");
    expect(await screen.findByLabelText("Province")).toHaveProperty("value", "");
    expect(screen.getByText("Choose a province")).toBeTruthy();
  });

  test("is empty when storage holds something else", async () => {
    localStorage.setItem("cart", '{"not":"a cart"');
    openShop("/cart");
    expect(await screen.findByText("Your cart is empty.")).toBeTruthy();
  });

  // spec: a warning for 5 s with login and register links
  // spec: login-required warning 5 s
  test("warns visitors for 5 s, with both ways in", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fillCart(2);
    openShop("/cart");
    fireEvent.click(await screen.findByRole("button", { name: "Proceed to Checkout" }));
    const warning = screen.getByRole("alert");
    expect(within(warning).getByRole("link", { name: "log in" }).getAttribute("href")).toBe("/login");
    expect(within(warning).getByRole("link", { name: "create an account" }).getAttribute("href")).toBe("/register");
    act(() => vi.advanceTimersByTime(4_500));
    expect(screen.queryByRole("alert")).not.toBeNull();
    act(() => vi.advanceTimersByTime(1_000));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(loadDocument).not.toHaveBeenCalled();
  });

  test("warns for five seconds from the last press", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fillCart(2);
    openShop("/cart");
    const proceed = await screen.findByRole("button", { name: "Proceed to Checkout" });
    fireEvent.click(proceed);
    act(() => vi.advanceTimersByTime(4_000));
    fireEvent.click(proceed);
    act(() => vi.advanceTimersByTime(4_000));
    expect(screen.queryByRole("alert")).not.toBeNull();
    act(() => vi.advanceTimersByTime(1_500));
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test.each(["log in", "create an account"])(
    "remembers that %s was pressed on the way to the checkout",
    async (name) => {
      fillCart(2);
      const { user } = openShop("/cart");
      await user.click(await screen.findByRole("button", { name: "Proceed to Checkout" }));
      const link = screen.getByRole("link", { name });
      link.addEventListener("click", (event) => event.preventDefault());
      await user.click(link);
      expect(takeReturnPath()).toBe("/checkout");
    },
  );

  test("leads customers to the checkout, in a document of its own", async () => {
    signIn("ada@example.com");
    fillCart(2);
    const { user } = openShop("/cart");
    await user.click(await screen.findByRole("button", { name: "Proceed to Checkout" }));
    await waitFor(() => expect(loadDocument).toHaveBeenCalledWith("/checkout"));
  });
});
