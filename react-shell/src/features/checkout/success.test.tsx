import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { offline, openShop, ORDER, errorResponse, signIn } from "../../test-shop";

const CALL = "GET /api/orders/o1";

describe("the success page", () => {
  beforeEach(() => signIn("ada@example.com"));

  // spec: Reads an order_id query parameter
  // spec: link to the order, subtotal, shipping, tax, total, status and a Continue Shopping link
  test("shows the order, its costs and its status, and the ways on", async () => {
    openShop("/checkout/success?order_id=o1", { [CALL]: ORDER });
    expect(await screen.findByRole("link", { name: "1001" })).toHaveProperty("pathname", "/order/o1");
    for (const text of ["$49.98", "$6.20", "$3.62", "$59.80", "Pending"]) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.getByRole("link", { name: "Continue Shopping" }).getAttribute("href")).toBe("/products");
  });

  // spec: Order details not found, Failed to load order details, No order details found.
  test.each([
    ["No order details found.", "/checkout/success", offline],
    ["Order details not found", "/checkout/success?order_id=o1", errorResponse(404, { code: "NotFound" })],
    ["Failed to load order details", "/checkout/success?order_id=o1", offline],
  ])("says %s", async (message, path, response) => {
    openShop(path, { [CALL]: response });
    expect((await screen.findByRole("alert")).textContent).toBe(message);
  });
});
