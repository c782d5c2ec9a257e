import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { fillCart, LIGHT, offline, openShop, errorResponse } from "../../test-shop";
import type { Product } from "../../shared/rules";

const CALL = "GET /api/products/nudgelight-one";

function openProduct(change: Partial<Product> = {}) {
  const light = { ...LIGHT, ...change };
  return openShop("/products/nudgelight-one", { [CALL]: light, "GET /api/products": [light] });
}

describe("a product's page", () => {
  afterEach(() => vi.useRealTimers());

  // spec: stock badge
  // spec: Low Stock when stock is under 5; in stock otherwise; Out of Stock at 0.
  test.each([
    [5, "In Stock"],
    [4, "Low Stock"],
    [1, "Low Stock"],
    [0, "Out of Stock"],
  ])("with %i pieces says %s", async (available, badge) => {
    openProduct({ available });
    expect(await screen.findByText(badge)).toBeTruthy();
  });

  // spec: Add to Cart is disabled at zero stock.
  test("does not sell what is not there", async () => {
    openProduct({ available: 0 });
    expect(await screen.findByRole("button", { name: "Add to Cart" })).toHaveProperty("disabled", true);
  });

  // spec: quantity input
  // spec: adding an item already present merges the quantity
  // spec: Add-to-cart notice shows 3 s
  test("adds to what is in the cart already, and says so for 3 s", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fillCart(2);
    openProduct();
    fireEvent.input(await screen.findByLabelText("Quantity"), { target: { value: "3" } });
    fireEvent.click(screen.getByRole("button", { name: "Add to Cart" }));
    expect(await screen.findByText(/was added to your cart/)).toBeTruthy();
    await waitFor(() => expect(screen.getByTestId("cart-count").textContent).toMatch(/^5/));
    act(() => vi.advanceTimersByTime(2_500));
    expect(screen.queryByText(/was added/)).not.toBeNull();
    act(() => vi.advanceTimersByTime(1_000));
    await waitFor(() => expect(screen.queryByText(/was added/)).toBeNull());
  });

  // spec: Product quantity is capped at available stock; adding more than stock shows the alert Not enough stock available
  test("counts what is in the cart when it says that there is not enough", async () => {
    fillCart(8);
    const { user } = openProduct();
    const quantity = await screen.findByLabelText("Quantity");
    await user.clear(quantity);
    await user.type(quantity, "3");
    await user.click(screen.getByRole("button", { name: "Add to Cart" }));
    expect(screen.getByRole("alert").textContent).toBe("Not enough stock available");
    expect(screen.getByTestId("cart-count").textContent).toMatch(/^8/);
  });

  // spec: Product quantity is capped at available stock; adding more than stock shows the alert Not enough stock available
  test("says at once that a typed quantity is more than there are", async () => {
    const { user } = openProduct({ available: 3 });
    const quantity = await screen.findByLabelText("Quantity");
    await user.clear(quantity);
    await user.type(quantity, "4");
    expect((await screen.findByRole("alert")).textContent).toBe("Not enough stock available");
    expect(quantity.getAttribute("aria-invalid")).toBe("true");
    await user.click(screen.getByRole("button", { name: "Decrease quantity" }));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(quantity).toHaveProperty("value", "3");
  });

  test("says how few are left", async () => {
    openProduct({ available: 3 });
    expect(await screen.findByText("Only 3 left")).toBeTruthy();
  });

  test("says why a sold-out light can't be added", async () => {
    openProduct({ available: 0 });
    const button = await screen.findByRole("button", { name: "Add to Cart" });
    const reason = document.getElementById(button.getAttribute("aria-describedby") ?? "");
    expect(reason?.textContent).toBe("Sold out right now.");
  });

  test("says when the light ships and for how much", async () => {
    openProduct();
    expect(await screen.findByText("Ships in 1–2 business days, from $4.95")).toBeTruthy();
  });

  test("counts the light in the cart beside the button, even when another tab changes the cart", async () => {
    fillCart(2);
    const { user } = openProduct();
    expect(await screen.findByText("2 in your cart")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Add to Cart" }));
    expect(await screen.findByText("3 in your cart")).toBeTruthy();
    localStorage.setItem("cart", "[]");
    fireEvent(window, new StorageEvent("storage", { key: "cart" }));
    await waitFor(() => expect(screen.queryByText(/in your cart/)).toBeNull());
  });

  test("shows the picture of the thumbnail that is pressed", async () => {
    const { user } = openProduct();
    expect((await screen.findAllByAltText("Illustration of Nudgelight One")).length).toBeGreaterThan(0);
    await user.click(screen.getByRole("button", { name: "On a shelf at night" }));
    const [picture] = screen.getAllByAltText("Illustration of Nudgelight One on a shelf at night");
    expect(picture?.getAttribute("src")).toBe("/images/nudgelight-one-shelf.svg");
    expect(screen.queryByAltText("Illustration of Nudgelight One")).toBeNull();
  });

  test("links related lights", async () => {
    const related = ["Mini", "Duo"].map((name) => Object.assign({}, LIGHT, { id: name, name: `Nudgelight ${name}` }));
    openShop("/products/nudgelight-one", { [CALL]: LIGHT, [`${CALL}/related`]: related });
    const section = (await screen.findByRole("heading", { name: "More lights" })).parentElement as HTMLElement;
    const names = within(section)
      .getAllByRole("link")
      .map((link) => link.textContent);
    expect(names).toEqual(["Nudgelight Mini", "Nudgelight Duo"]);
  });

  // spec: a Product not found message
  // spec: Product not found.
  test("says Product not found. for a name nobody knows", async () => {
    openShop("/products/nudgelight-one", { [CALL]: errorResponse(404, { error: "None.", code: "NotFound" }) });
    expect(await screen.findByRole("heading", { name: "Product not found." })).toBeTruthy();
  });

  test("offers another try when the shop can't be reached", async () => {
    const responses: Record<string, unknown> = { [CALL]: offline };
    const { user } = openShop("/products/nudgelight-one", responses);
    await user.click(await screen.findByRole("button", { name: "Try Again" }));
    expect(screen.getByRole("alert").textContent).toBe("Failed to fetch products");
  });
});
