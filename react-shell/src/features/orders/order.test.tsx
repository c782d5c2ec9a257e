import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { offline, openShop, ORDER, errorResponse, signIn } from "../../test-shop";

// The receipt is tested in its own crate. This test only needs the props that it gets.
vi.mock(import("../../shared/rust-receipt"), () => ({
  OrderReceipt: ({ order, supportEmail }) => (
    <p>
      Receipt of {order.number}, {supportEmail}
    </p>
  ),
}));

const CALL = "GET /api/orders/o1";

describe("an order's page", () => {
  beforeEach(() => signIn("ada@example.com"));
  afterEach(() => vi.useRealTimers());

  // spec: /order/{id} | logged in | Order detail
  // spec: a Print Order button and a support contact line ({email})
  // spec: GET /api/orders/{id} (auth) | none | order
  // spec: Support contact is {email}.
  test("shows the receipt and prints it", async () => {
    const print = vi.fn<() => void>();
    vi.stubGlobal("print", print);
    const { user } = openShop("/order/o1", { [CALL]: ORDER });
    expect(await screen.findByText("Receipt of 1001, support@nudgelight.example")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Print Order" }));
    expect(print).toHaveBeenCalledOnce();
  });

  test("offers the same items again", async () => {
    const items = [...ORDER.items, { product_id: "p2", product_name: "Nudgelight Mini", quantity: 1, price: 17.5 }];
    openShop("/order/o1", { [CALL]: { ...ORDER, items } });
    const link = await screen.findByRole("link", { name: "Buy Again" });
    expect(link.getAttribute("href")).toBe("/cart?add=p1:2,p2:1");
  });

  test.each([
    ["pending", "Ordered", "Order received"],
    ["processing", "Packed", "Your order is packed"],
    ["shipped", "Shipped", "Your order is on its way"],
    ["delivered", "Delivered", "Your order has arrived"],
  ])("of a %s order says that it is %s, beside its status", async (status, step, heading) => {
    openShop("/order/o1", { [CALL]: { ...ORDER, status } });
    expect(await screen.findByRole("heading", { name: heading, level: 2 })).toBeTruthy();
    const current = screen.getAllByRole("listitem").filter((item) => item.getAttribute("aria-current") === "step");
    expect(current.map((item) => item.textContent)).toEqual([step]);
    expect(screen.queryAllByText("Arrives Nov 30 – Dec 3")).toHaveLength(status === "delivered" ? 0 : 1);
  });

  test("of a refunded order shows the refund instead of steps", async () => {
    openShop("/order/o1", { [CALL]: { ...ORDER, status: "refunded" } });
    expect(await screen.findByText(/^Refunded\. Refunds take 5–10 business days/)).toBeTruthy();
    expect(screen.queryByText("Packed")).toBeNull();
  });

  test("leads to the carrier, if the number tells which one", async () => {
    const { unmount } = openShop("/order/o1", {
      [CALL]: { ...ORDER, status: "shipped", tracking_number: "1Z999AA10123456784" },
    });
    const link = await screen.findByRole("link", { name: "Track with UPS" });
    expect(link.getAttribute("href")).toContain("1Z999AA10123456784");
    unmount();
    openShop("/order/o1", { [CALL]: { ...ORDER, status: "shipped", tracking_number: "pigeon 7" } });
    expect(await screen.findByText("Tracking number: pigeon 7")).toBeTruthy();
  });

  // spec: A 403 on another user's order shows You are not authorized to view this order. and redirects to /orders after 3 s.
  // spec: 403 message as in section 6
  // spec: 403 on an order redirects after 3 s
  test("of somebody else says so, and leads to one's own orders after 3 s", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { router } = openShop("/order/o1", {
      [CALL]: errorResponse(403, { error: "No.", code: "Forbidden" }),
      "GET /api/user/orders": { orders: [], page: 1, totalPages: 1, total: 0 },
    });
    expect(await screen.findByText("You are not authorized to view this order.")).toBeTruthy();
    act(() => vi.advanceTimersByTime(2_500));
    expect(router.state.location.pathname).toBe("/order/o1");
    act(() => vi.advanceTimersByTime(1_000));
    await waitFor(() => expect(router.state.location.pathname).toBe("/profile/orders"));
  });

  // spec: Order not found.
  test("that does not exist", async () => {
    openShop("/order/o1", { [CALL]: errorResponse(404, { error: "None.", code: "NotFound" }) });
    expect((await screen.findByRole("alert")).textContent).toBe("Order not found.");
  });

  // spec: Failed to fetch order details. Please try again later.
  test("that can't be had", async () => {
    openShop("/order/o1", { [CALL]: offline });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Failed to fetch order details. Please try again later.",
    );
  });
});

test("an order's page is not for visitors; the login leads back to it", async () => {
  const { router } = openShop("/order/o1");
  await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  expect(sessionStorage.getItem("return-path")).toBe("/order/o1");
});
