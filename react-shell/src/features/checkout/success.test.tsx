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
    expect(await screen.findByRole("link", { name: "Order 1001" })).toHaveProperty("pathname", "/order/o1");
    const value = (label: string) => screen.getByText(label).nextElementSibling?.textContent;
    const costs = ["Subtotal", "Shipping", "Tax", "Total", "Status"].map(value);
    expect(costs).toEqual(["$49.98", "$6.20", "$3.62", "$59.80", "Pending"]);
    expect(value("Paid with")).toBe("Visa ending in 4242");
    expect(screen.getByRole("link", { name: "Continue Shopping" }).getAttribute("href")).toBe("/products");
  });

  test("names each tax, as the receipt does", async () => {
    const details = { percentage_decimal: "7.25", country: "US", state: "CA", tax_type: "sales_tax" };
    const taxed = { ...ORDER, tax_breakdown: [{ amount: 362, tax_rate_details: details }] };
    openShop("/checkout/success?order_id=o1", { [CALL]: taxed });
    expect((await screen.findByText("Sales tax (7.25%)")).nextElementSibling?.textContent).toBe("$3.62");
    expect(screen.queryByText("Tax")).toBeNull();
  });

  test("shows a picture of each item that the shop still has, when it arrives, and how the light is set up", async () => {
    const gone = { product_id: "p9", product_name: "Nudgelight Zero", quantity: 1, price: 5 };
    const { container } = openShop("/checkout/success?order_id=o1", {
      [CALL]: { ...ORDER, items: [...ORDER.items, gone] },
    });
    // Ordered on a Saturday: 1–2 business days from Monday until it ships, 3–5 in transit, without Thanksgiving.
    expect(await screen.findByRole("heading", { name: "Arrives Nov 30 – Dec 3" })).toBeTruthy();
    const pictures = [...container.querySelectorAll("main img")].map((image) => image.getAttribute("src"));
    expect(pictures).toEqual(["/images/nudgelight-one.svg"]);
    expect(screen.getByText("Nudgelight Zero")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Here’s how" }).getAttribute("href")).toBe("/tutorial");
  });

  test("shows the line that the customer wrote on the home page", async () => {
    localStorage.setItem("schedule-line", "on 18:00-23:00 40%");
    openShop("/checkout/success?order_id=o1", { [CALL]: ORDER });
    expect(await screen.findByText("on 18:00-23:00 40%")).toBeTruthy();
    expect(screen.getByRole("link", { name: "It’s in the Lab" }).getAttribute("href")).toBe("/schedule-lab");
  });

  test("promises no arrival of an order that was refunded", async () => {
    openShop("/checkout/success?order_id=o1", { [CALL]: { ...ORDER, status: "refunded" } });
    expect(await screen.findByRole("heading", { name: "Delivery" })).toBeTruthy();
    expect(screen.queryByText(/Arrives/)).toBeNull();
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
