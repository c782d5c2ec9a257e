import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fillCart, LIGHT, openShop, signIn } from "../../test-shop";
import { loadDocument } from "../../shared/document-navigation";

function stored() {
  return JSON.parse(localStorage.getItem("cart") ?? "[]") as { id: string; quantity: number; price: number }[];
}

describe("the cart", () => {
  afterEach(() => vi.useRealTimers());

  // spec 42: Empty state: Your cart is empty.
  // spec 146: Your cart is empty.
  test("is empty at first", async () => {
    openShop("/cart");
    expect(await screen.findByText("Your cart is empty.")).toBeTruthy();
  });

  // spec 21: /cart
  // spec 42: list with name, unit price, editable quantity (minimum 1), line total, a remove button, a grand total and a Proceed to Checkout button
  // spec 62: kept in browser storage under a cart key
  // spec 161: The cart persists in browser storage.
  test("shows each line, the badge and the total", async () => {
    fillCart(2);
    openShop("/cart");
    expect(await screen.findByText("Nudgelight One")).toBeTruthy();
    expect(screen.getAllByText("$49.98")).toHaveLength(2);
    expect(screen.getByTestId("cart-count").textContent).toMatch(/^2/);
    expect(screen.getByText("$6.20")).toBeTruthy();
  });

  // spec 78: quantity can be updated
  test("follows a new quantity at once, in the total, the badge and storage", async () => {
    fillCart(2);
    openShop("/cart");
    fireEvent.change(await screen.findByLabelText("Quantity of Nudgelight One"), { target: { value: "3" } });
    expect(screen.getAllByText("$74.97")).toHaveLength(2);
    await waitFor(() => expect(screen.getByTestId("cart-count").textContent).toMatch(/^3/));
    expect(stored()[0]?.quantity).toBe(3);
  });

  // spec 87: Cart quantity minimum 1.
  test.each(["0", "-1", "2.5", "", "100"])("does not take %j for a quantity", async (typed) => {
    fillCart(2);
    openShop("/cart");
    const field = await screen.findByLabelText("Quantity of Nudgelight One");
    fireEvent.change(field, { target: { value: typed } });
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(stored()[0]?.quantity).toBe(2);
    fireEvent.blur(field);
    expect(field).toHaveProperty("value", "2");
  });

  test("does not take more than there is", async () => {
    fillCart(2);
    openShop("/cart");
    fireEvent.change(await screen.findByLabelText("Quantity of Nudgelight One"), { target: { value: "11" } });
    expect(screen.getByText("Not enough stock available")).toBeTruthy();
    expect(stored()[0]?.quantity).toBe(2);
  });

  // spec 78: items can be removed
  test("lets a line go", async () => {
    fillCart(2);
    const { user } = openShop("/cart");
    await user.click(await screen.findByRole("button", { name: "Remove Nudgelight One" }));
    expect(screen.getByText("Your cart is empty.")).toBeTruthy();
    expect(stored()).toEqual([]);
  });

  test.each([1, 2])("says which of %i lines is removed, and the focus goes to the heading", async (lines) => {
    fillCart(2);
    const [line] = stored();
    const other = { ...line, id: "p2", name: "Nudgelight Mini" };
    if (lines === 2) localStorage.setItem("cart", JSON.stringify([line, other]));
    const { user } = openShop("/cart");
    await user.click(await screen.findByRole("button", { name: "Remove Nudgelight One" }));
    expect(screen.getByRole("status").textContent).toBe("Nudgelight One was removed from your cart.");
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  });

  test("takes today's price and stock from the catalogue", async () => {
    fillCart(2);
    openShop("/cart", { "GET /api/products": [{ ...LIGHT, price: 19.99, available: 1 }] });
    expect(await screen.findByText("Only 1 left.")).toBeTruthy();
    expect(screen.getAllByText("$39.98")).toHaveLength(2);
    expect(stored()[0]?.price).toBe(19.99);
  });

  test("is empty when storage holds something else", async () => {
    localStorage.setItem("cart", '{"not":"a cart"');
    openShop("/cart");
    expect(await screen.findByText("Your cart is empty.")).toBeTruthy();
  });

  // spec 98: a warning for 5 s with login and register links
  // spec 156: login-required warning 5 s
  test("warns visitors for 5 s, with both ways in", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fillCart(2);
    openShop("/cart");
    fireEvent.click(await screen.findByRole("button", { name: "Proceed to Checkout" }));
    const warning = screen.getByRole("alert");
    expect(within(warning).getByRole("link", { name: "log in" }).getAttribute("href")).toBe("/login");
    expect(within(warning).getByRole("link", { name: "register" }).getAttribute("href")).toBe("/register");
    act(() => vi.advanceTimersByTime(4_500));
    expect(screen.queryByRole("alert")).not.toBeNull();
    act(() => vi.advanceTimersByTime(1_000));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(loadDocument).not.toHaveBeenCalled();
  });

  test("leads customers to the checkout, in a document of its own", async () => {
    signIn("ada@example.com");
    fillCart(2);
    const { user } = openShop("/cart");
    await user.click(await screen.findByRole("button", { name: "Proceed to Checkout" }));
    await waitFor(() => expect(loadDocument).toHaveBeenCalledWith("/checkout"));
  });
});
