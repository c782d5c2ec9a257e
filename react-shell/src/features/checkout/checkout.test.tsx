import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fillCart, LIGHT, offline, openShop, ORDER, errorResponse, signIn, type MockResponses } from "../../test-shop";
import { loadDocument } from "../../shared/document-navigation";
import { takeReturnPath } from "../../shared/return-path";
import { session } from "../../shared/session";
import type { CartLine } from "../../shared/rules";

const CREATE = "POST /api/payments/create-intent";
const CONFIRM = "POST /test-stripe/v1/payment_intents/pi_1/confirm";
const ORDERS = "POST /api/orders";

const QUOTE = {
  paymentIntent: { id: "pi_1", client_secret: "pi_1_secret" },
  taxCalculation: {
    id: "taxcalc_1",
    tax_amount_exclusive: 362,
    tax_breakdown: [
      {
        amount: 362,
        tax_rate_details: { percentage_decimal: "7.25", country: "US", state: "CA", tax_type: "sales_tax" },
      },
    ],
  },
  subtotal: 49.98,
  shippingCost: 6.2,
  total: 59.8,
  expires_at: new Date(Date.now() + 900_000).toISOString(),
};
const DECLINED = errorResponse(402, { error: { type: "card_error", message: "Your card was declined." } });
const OPEN: MockResponses = { [CREATE]: QUOTE, [CONFIRM]: { status: "succeeded" }, [ORDERS]: { orderId: "o1" } };

beforeEach(() => {
  signIn("ada@example.com");
  fillCart(2);
});

afterEach(() => vi.useRealTimers());

async function fillInAddress() {
  fireEvent.input(await screen.findByLabelText("Full Name"), { target: { value: "Ada Lovelace" } });
  fireEvent.input(screen.getByLabelText("Address"), { target: { value: "12 Front St" } });
  fireEvent.input(screen.getByLabelText("City"), { target: { value: "Los Angeles" } });
  fireEvent.change(screen.getByLabelText("State"), { target: { value: "CA" } });
  fireEvent.input(screen.getByLabelText("ZIP Code"), { target: { value: "90210" } });
}

async function goToPayment(responses: MockResponses = OPEN) {
  const page = openShop("/checkout", responses);
  await fillInAddress();
  await page.user.click(screen.getByRole("button", { name: "Continue to Payment" }));
  return page;
}

const OTHER_CARDS = { name: "Other test cards" };

async function pay(page: ReturnType<typeof openShop>, card = /^4242/) {
  await screen.findByLabelText("Card Number");
  if (!screen.queryByRole("button", { name: card })) await page.user.click(screen.getByRole("button", OTHER_CARDS));
  await page.user.click(screen.getByRole("button", { name: card }));
  await page.user.click(screen.getByRole("button", { name: "Pay $59.80" }));
}

const RETURN_FROM_BANK =
  "/checkout?step=payment&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret&redirect_status=succeeded";

async function redirectToBank() {
  const next_action = { redirect_to_url: { url: "https://bank.example/ask" } };
  const page = await goToPayment({ ...OPEN, [CONFIRM]: { status: "requires_action", next_action } });
  await pay(page, /^4000 0025/);
  await waitFor(() => expect(loadDocument).toHaveBeenCalled());
  page.unmount();
}

/** Rejects the access token as well as the refresh token. */
const SESSION_REVOKED = errorResponse(401, { error: "Please log in.", code: "Unauthenticated" });

describe("the address step", () => {
  // spec: two steps, address then payment, with an order summary at the side
  // spec: tax_amount_exclusive and a breakdown
  // spec: client_secret and id
  // spec: address step, then payment step
  // spec: currency (usd), shippingAddress, items each with product_id and quantity
  // spec: total is subtotal plus shipping plus tax
  // spec: Tax amount from the provider is in cents and is divided by 100.
  test("sends currency, address and items, and shows each cost on the next step", async () => {
    const page = await goToPayment();
    expect(await screen.findByRole("button", { name: "Pay $59.80" })).toBeTruthy();
    expect(page.sent(CREATE)[0]?.body).toEqual({
      currency: "usd",
      shippingAddress: {
        name: "Ada Lovelace",
        address: { line1: "12 Front St", city: "Los Angeles", state: "CA", postal_code: "90210", country: "US" },
      },
      items: [{ product_id: "p1", quantity: 2 }],
    });
    expect(page.router.state.location.search).toBe("?step=payment");
    for (const text of ["$49.98", "$6.20", "Sales tax (7.25%)", "$3.62", "$59.80"]) {
      expect(screen.getAllByText(text).length).toBeGreaterThan(0);
    }
  });

  test("hands the focus to the payment step's heading, and back to its own", async () => {
    const page = await goToPayment();
    await screen.findByRole("button", { name: "Pay $59.80" });
    const payment = screen.getByRole("heading", { name: "2. Payment" });
    await waitFor(() => expect(document.activeElement).toBe(payment));
    await page.user.click(screen.getByRole("link", { name: /^Edit/ }));
    await screen.findByLabelText("City");
    const address = screen.getByRole("heading", { name: "1. Shipping Address" });
    await waitFor(() => expect(document.activeElement).toBe(address));
  });

  test("has the focus in the field that a button shows", async () => {
    const page = openShop("/checkout", OPEN);
    await page.user.click(await screen.findByRole("button", { name: "Add apartment, suite, or floor" }));
    expect(document.activeElement).toBe(screen.getByLabelText(/^Apartment/));
    await page.user.click(screen.getByRole("button", { name: "Add phone" }));
    expect(document.activeElement).toBe(screen.getByLabelText(/^Phone/));
  });

  test("keeps what was typed over a reload", async () => {
    const page = openShop("/checkout", OPEN);
    await fillInAddress();
    page.unmount();
    openShop("/checkout", OPEN);
    expect(await screen.findByLabelText("City")).toHaveProperty("value", "Los Angeles");
  });

  test("is filled in with the address of the last order, until it is to go somewhere else", async () => {
    const page = openShop("/checkout", {
      ...OPEN,
      "GET /api/user/orders": { orders: [{ id: "o1" }], page: 1, totalPages: 1, total: 1 },
      "GET /api/orders/o1": ORDER,
    });
    expect(await screen.findByLabelText("Address")).toHaveProperty("value", "12 Front St");
    expect(screen.getByLabelText("State")).toHaveProperty("value", "CA");
    await page.user.click(screen.getByRole("button", { name: "Use a different address" }));
    expect(screen.getByLabelText("Address")).toHaveProperty("value", "");
    expect(document.activeElement).toBe(screen.getByLabelText("Full Name"));
    expect(screen.queryByText("Using the address of your last order.")).toBeNull();
    await page.user.type(screen.getByLabelText("City"), "Reno");
    page.unmount();
    openShop("/checkout", OPEN);
    expect(await screen.findByLabelText("City")).toHaveProperty("value", "Reno");
  });

  // spec: Address form must be complete
  test("sends nothing while a field is wrong, and says which rule failed", async () => {
    const page = openShop("/checkout", OPEN);
    await fillInAddress();
    fireEvent.input(screen.getByLabelText("ZIP Code"), { target: { value: "9021" } });
    await page.user.click(screen.getByRole("button", { name: "Continue to Payment" }));
    expect(screen.getByLabelText("ZIP Code").getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(screen.getByLabelText("ZIP Code"));
    expect(page.sent(CREATE)).toHaveLength(0);
  });

  // spec: collected by an address form
  // spec: only countries US and CA are allowed
  test("shows the postal code on the next step as the shop keeps it, and bills it so", async () => {
    const page = openShop("/checkout", OPEN);
    fireEvent.change(await screen.findByLabelText("Country"), { target: { value: "CA" } });
    fireEvent.input(screen.getByLabelText("Full Name"), { target: { value: " Ada Lovelace " } });
    fireEvent.input(screen.getByLabelText("Address"), { target: { value: "12 Front St" } });
    fireEvent.input(screen.getByLabelText("City"), { target: { value: "Montreal" } });
    fireEvent.change(screen.getByLabelText("Province"), { target: { value: "QC" } });
    fireEvent.input(screen.getByLabelText("Postal Code"), { target: { value: "h2x1y4" } });
    await page.user.click(screen.getByRole("button", { name: "Continue to Payment" }));
    const shown = await screen.findByText(/Montreal, QC H2X 1Y4/);
    expect(shown.textContent).toBe("Ada Lovelace\n12 Front St\nMontreal, QC H2X 1Y4\nCanada");
    await pay(page);
    await waitFor(() => expect(page.sent(CONFIRM)).toHaveLength(1));
    expect(page.sent(CONFIRM)[0]?.body).toMatchObject({
      "payment_method_data[billing_details][address][postal_code]": "H2X 1Y4",
    });
  });

  test("asks the server for one payment when the button is pressed twice at once", async () => {
    const page = openShop("/checkout", OPEN);
    await fillInAddress();
    const button = screen.getByRole("button", { name: "Continue to Payment" });
    // Both clicks occur before the next render.
    act(() => {
      button.click();
      button.click();
    });
    await screen.findByRole("button", { name: "Pay $59.80" });
    expect(page.sent(CREATE)).toHaveLength(1);
  });

  test("leads back to itself, filled in, when the session was ended elsewhere", async () => {
    const page = await goToPayment({ [CREATE]: SESSION_REVOKED, "POST /api/auth/refresh-token": SESSION_REVOKED });
    expect(await screen.findByText("You were logged out. Log in to continue.")).toBeTruthy();
    page.unmount();
    signIn("ada@example.com");
    openShop(takeReturnPath() ?? "", OPEN);
    expect(await screen.findByLabelText("City")).toHaveProperty("value", "Los Angeles");
  });

  test("shows nothing of another customer whose session ended in this tab", async () => {
    const page = openShop("/checkout", OPEN);
    await fillInAddress();
    page.unmount();
    signIn("grace@example.com");
    openShop("/checkout", OPEN);
    expect(await screen.findByLabelText("City")).toHaveProperty("value", "");
  });

  test("renames its fields for Canada", async () => {
    openShop("/checkout", OPEN);
    fireEvent.change(await screen.findByLabelText("Country"), { target: { value: "CA" } });
    expect(screen.getByLabelText("Province")).toBeTruthy();
    expect(screen.getByLabelText("Postal Code").getAttribute("inputmode")).toBe("text");
    expect(screen.getAllByText("$14.45").length).toBeGreaterThan(0);
  });

  // spec: an InsufficientStockError shows Insufficient stock for {product}. Available: {n}, Requested: {n}
  test("tells what ran out", async () => {
    const details = { product: "Nudgelight One", available: 1, requested: 2 };
    await goToPayment({ [CREATE]: errorResponse(409, { error: "x", code: "InsufficientStockError", details }) });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Insufficient stock for Nudgelight One. Available: 1, Requested: 2",
    );
    expect(screen.getByRole("link", { name: "Edit your cart" }).getAttribute("href")).toBe("/cart#line-p1");
  });

  test("leads to the cart when a product in it was withdrawn meanwhile", async () => {
    const fields = { items: "A product in your cart is no longer available. Please remove it." };
    await goToPayment({ [CREATE]: errorResponse(400, { error: "x", code: "InvalidRequest", fields }) });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Failed to set up payment. Please try again. A product in your cart is no longer available. Please remove it.",
    );
    expect(screen.getByRole("link", { name: "Edit your cart" }).getAttribute("href")).toBe("/cart");
  });

  test("says that a price changed between the cart and the payment, and shows the new one", async () => {
    const price = { ...LIGHT, price: 19.99 };
    const page = openShop("/checkout", { ...OPEN, [CREATE]: { ...QUOTE, subtotal: 39.98, total: 49.8 } });
    await fillInAddress();
    page.responses["GET /api/products"] = [price];
    await page.user.click(screen.getByRole("button", { name: "Continue to Payment" }));
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Prices have changed since you added these items. The new total is $49.80.",
    );
    expect(screen.getAllByText("$19.99").length).toBeGreaterThan(0);
    expect(screen.queryByText("$24.99")).toBeNull();
    expect(screen.getByRole("button", { name: "Pay $49.80" })).toBeTruthy();
  });

  test("orders what is there, and leads to the cart when nothing is", async () => {
    const cart = JSON.parse(localStorage.getItem("cart") ?? "[]") as CartLine[];
    const gone = { ...cart[0], id: "p9", name: "Nudgelight Nova", available: 0 };
    localStorage.setItem("cart", JSON.stringify([...cart, gone]));
    const page = await goToPayment();
    await screen.findByRole("button", { name: "Pay $59.80" });
    const [sent] = page.sent(CREATE);
    expect(sent?.body).toMatchObject({ items: [{ product_id: "p1", quantity: 2 }] });
    page.unmount();
    localStorage.setItem("cart", JSON.stringify([gone]));
    const { router } = openShop("/checkout", OPEN);
    await waitFor(() => expect(router.state.location.pathname).toBe("/cart"));
  });

  // spec: any other failure shows Failed to set up payment. Please try again.
  test("shows the server's word about a field besides its own message", async () => {
    const fields = { "shippingAddress.address.postal_code": "We don't ship there." };
    await goToPayment({ [CREATE]: errorResponse(400, { error: "x", code: "InvalidRequest", fields }) });
    expect((await screen.findByRole("alert")).textContent).toBe("Failed to set up payment. Please try again.");
    expect(screen.getByText("We don't ship there.")).toBeTruthy();
  });

  test("is where a payment begins for those who come without an address", async () => {
    const { router } = openShop("/checkout?step=payment", OPEN);
    await screen.findByLabelText("Full Name");
    expect(router.state.location.search).toBe("?step=address");
  });

  test("replaces the payment that is open when the cart has changed", async () => {
    const page = await goToPayment();
    await screen.findByRole("button", { name: "Pay $59.80" });
    page.unmount();
    fillCart(3);
    const again = openShop("/checkout?step=payment", OPEN);
    await again.user.click(await screen.findByRole("button", { name: "Continue to Payment" }));
    await screen.findByRole("button", { name: "Pay $59.80" });
    expect(again.sent(CREATE)[0]?.body).toMatchObject({ replaces: "pi_1", items: [{ quantity: 3 }] });
  });

  test("leads to the order if the payment was already made, and charges nothing again", async () => {
    const page = await goToPayment();
    await screen.findByRole("button", { name: "Pay $59.80" });
    page.unmount();
    fillCart(3);
    const paid = { error: "Paid.", code: "IntentExpired", details: { orderId: "o1" } };
    const again = openShop("/checkout?step=payment", { ...OPEN, [CREATE]: errorResponse(409, paid) });
    await again.user.click(await screen.findByRole("button", { name: "Continue to Payment" }));
    await waitFor(() => expect(again.sent(ORDERS)[0]?.body).toEqual({ paymentIntentId: "pi_1" }));
    expect(screen.queryByText(/Failed to set up payment/)).toBeNull();
    expect(again.sent(CONFIRM)).toEqual([]);
    again.unmount();

    openShop("/checkout?step=payment", OPEN);
    await screen.findByLabelText("Full Name");
    expect(screen.queryByRole("button", { name: "Pay $59.80" })).toBeNull();
  });
});

describe("the postal code", () => {
  const QUESTION = "ZIP 90210 is in California. Use California?";

  test("fills in an empty state, which is announced and kept over a reload", async () => {
    const page = openShop("/checkout", OPEN);
    await page.user.type(await screen.findByLabelText("ZIP Code"), "9021");
    expect(screen.getByLabelText("State")).toHaveProperty("value", "");
    await page.user.keyboard("0");
    expect(screen.getByLabelText("State")).toHaveProperty("value", "CA");
    const announced = screen.getByText("State filled in from the ZIP Code: California.");
    expect(announced.getAttribute("aria-live")).toBe("polite");
    expect(document.activeElement).toBe(screen.getByLabelText("ZIP Code"));
    page.unmount();
    openShop("/checkout", OPEN);
    expect(await screen.findByLabelText("State")).toHaveProperty("value", "CA");
  });

  test("asks about a state that contradicts it, and changes it by keyboard", async () => {
    const page = openShop("/checkout", OPEN);
    await page.user.selectOptions(await screen.findByLabelText("State"), "NY");
    await page.user.type(screen.getByLabelText("ZIP Code"), "90210");
    expect(screen.getByLabelText("State")).toHaveProperty("value", "NY");
    expect(screen.getByText(QUESTION).getAttribute("aria-live")).toBe("polite");
    await page.user.tab();
    await page.user.tab();
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Use California" }));
    await page.user.keyboard("{Enter}");
    expect(screen.getByLabelText("State")).toHaveProperty("value", "CA");
    expect(document.activeElement).toBe(screen.getByLabelText("State"));
    expect(screen.queryByText(QUESTION)).toBeNull();
  });

  test("asks no more once the state or the code is changed, and a contradiction is not an error", async () => {
    const page = openShop("/checkout", OPEN);
    await fillInAddress();
    await page.user.selectOptions(screen.getByLabelText("State"), "NV");
    expect(screen.getByText(QUESTION)).toBeTruthy();
    await page.user.selectOptions(screen.getByLabelText("State"), "CA");
    expect(screen.queryByText(QUESTION)).toBeNull();
    await page.user.selectOptions(screen.getByLabelText("State"), "NV");
    await page.user.click(screen.getByRole("button", { name: "Continue to Payment" }));
    await screen.findByRole("button", { name: "Pay $59.80" });
    expect(page.sent(CREATE)[0]?.body).toMatchObject({ shippingAddress: { address: { state: "NV" } } });
  });

  test("removes the message of a missing state that it fills in", async () => {
    const page = openShop("/checkout", OPEN);
    await page.user.click(await screen.findByRole("button", { name: "Continue to Payment" }));
    expect(screen.getByText("Choose a state.")).toBeTruthy();
    await page.user.type(screen.getByLabelText("ZIP Code"), "10001");
    expect(screen.queryByText("Choose a state.")).toBeNull();
  });

  test("fills in the province when the country is changed after it", async () => {
    const page = openShop("/checkout", OPEN);
    await page.user.type(await screen.findByLabelText("ZIP Code"), "m5v 2t6");
    expect(screen.getByLabelText("State")).toHaveProperty("value", "");
    await page.user.selectOptions(screen.getByLabelText("Country"), "CA");
    expect(screen.getByLabelText("Province")).toHaveProperty("value", "ON");
  });

  test.each([
    ["CA", "X0A 0H0", "Province"],
    ["US", "96940", "State"],
  ])("leaves the region empty where it does not decide it: %s %s", async (country, code, label) => {
    const page = openShop("/checkout", OPEN);
    await page.user.selectOptions(await screen.findByLabelText("Country"), country);
    await page.user.type(screen.getByLabelText(/Code$/), code);
    expect(screen.getByLabelText(label)).toHaveProperty("value", "");
  });

  test.each([
    ["20500", "District of Columbia", "ZIP 20500 is in the District of Columbia. Use District of Columbia?"],
    ["09012", "Armed Forces Europe", "ZIP 09012 is for Armed Forces Europe. Use Armed Forces Europe?"],
  ])("names the place of %s", async (code, name, question) => {
    const page = openShop("/checkout", OPEN);
    await page.user.selectOptions(await screen.findByLabelText("State"), "NY");
    await page.user.type(screen.getByLabelText("ZIP Code"), code);
    expect(screen.getByText(question)).toBeTruthy();
    expect(screen.getByRole("button", { name: `Use ${name}` })).toBeTruthy();
  });
});

describe("the payment step", () => {
  // spec: Two-step checkout
  // spec: the order is created and the user goes to /checkout/success?order_id={id}. The cart is cleared after the order is created.
  // spec: the cart can be cleared
  // spec: paymentIntentId
  test("pays with the card that was typed, makes the order, clears the cart", async () => {
    const page = await goToPayment();
    await pay(page);
    await waitFor(() => expect(loadDocument).toHaveBeenCalledWith("/checkout/success?order_id=o1"));
    expect(page.sent(CONFIRM)[0]?.body).toMatchObject({
      key: "pk_test_1",
      client_secret: "pi_1_secret",
      "payment_method_data[type]": "card",
      "payment_method_data[card][number]": "4242424242424242",
      "payment_method_data[card][exp_month]": "12",
      "payment_method_data[card][exp_year]": "2034",
      "payment_method_data[billing_details][name]": "Ada Lovelace",
      return_url: "http://localhost:3000/checkout?step=payment",
    });
    expect(page.sent(ORDERS)[0]?.body).toEqual({ paymentIntentId: "pi_1" });
    expect(localStorage.getItem("cart")).toBe("[]");
    expect(sessionStorage.getItem("draft:checkout")).toBeNull();
  });

  test("bills another address when asked to", async () => {
    const page = await goToPayment();
    await page.user.click(await screen.findByLabelText("My billing address is the same as my shipping address"));
    await page.user.click(screen.getByRole("button", { name: /^4242/ }));
    await page.user.click(screen.getByRole("button", { name: "Pay $59.80" }));
    expect(screen.getByLabelText("Full Name").getAttribute("aria-invalid")).toBe("true");
    expect(page.sent(CONFIRM)).toHaveLength(0);
    await fillInAddress();
    fireEvent.input(screen.getByLabelText("City"), { target: { value: "San Diego" } });
    await page.user.click(screen.getByRole("button", { name: "Pay $59.80" }));
    await waitFor(() => expect(loadDocument).toHaveBeenCalled());
    expect(page.sent(CONFIRM)[0]?.body).toMatchObject({
      "payment_method_data[billing_details][address][city]": "San Diego",
    });
  });

  test.each([
    ["4242", "12/34", "Enter the full card number.", "Card Number"],
    ["4242 4242 4242 4241", "12/34", "Check the card number. At least one digit is wrong.", "Card Number"],
    ["4242 4242 4242 4242", "13/34", "Enter the expiration month and year, like 12/34.", "Expiration Date"],
    ["4242 4242 4242 4242", "10/26", "This card has expired. Check the date or use another card.", "Expiration Date"],
  ])("sends no card %s of %s to the provider, and says: %s", async (number, expiry, message, label) => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 22), toFake: ["Date"] });
    const page = await goToPayment();
    await page.user.type(await screen.findByLabelText("Card Number"), number);
    await page.user.type(screen.getByLabelText("Expiration Date"), expiry);
    await page.user.type(screen.getByLabelText("Security Code"), "123");
    await page.user.click(screen.getByRole("button", { name: "Pay $59.80" }));
    expect(screen.getByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText(label));
    expect(page.sent(CONFIRM)).toHaveLength(0);
  });

  test.each([
    ["4242 4242 4242 4242", "1234", "Enter the 3-digit security code on the back of the card."],
    ["3782 822463 10005", "123", "Enter the 4-digit security code on the front of the card."],
  ])("asks for the security code of the card %s", async (number, cvc, message) => {
    const page = await goToPayment();
    await page.user.type(await screen.findByLabelText("Card Number"), number);
    await page.user.type(screen.getByLabelText("Security Code"), cvc);
    await page.user.tab();
    expect(screen.getByText(message)).toBeTruthy();
    expect(screen.getByLabelText("Security Code").getAttribute("aria-invalid")).toBe("true");
  });

  test("shows a wrong card number when its field is left, until it is right", async () => {
    const page = await goToPayment();
    const message = "Check the card number. At least one digit is wrong.";
    await page.user.type(await screen.findByLabelText("Card Number"), "4242 4242 4242 4241");
    expect(screen.queryByText(message)).toBeNull();
    await page.user.tab();
    expect(screen.getByText(message)).toBeTruthy();
    await page.user.type(screen.getByLabelText("Card Number"), "{Backspace}2");
    expect(screen.queryByText(message)).toBeNull();
    expect(page.sent(CONFIRM)).toHaveLength(0);
  });

  test.each([
    ["4", "Visa"],
    ["2221", "Mastercard"],
    ["37", "American Express"],
    ["6011", "Discover"],
    ["36", "Diners Club"],
    ["3530", "JCB"],
    ["62", "UnionPay"],
  ])("shows the brand of a card that begins with %s: %s", async (digits, brand) => {
    const page = await goToPayment();
    await page.user.type(await screen.findByLabelText("Card Number"), digits);
    expect(screen.getByRole("img", { name: brand })).toBeTruthy();
  });

  test("unfolds the other test cards by keyboard, and fills in the form with one", async () => {
    const page = await goToPayment();
    await screen.findByLabelText("Card Number");
    const disclosure = screen.getByRole("button", OTHER_CARDS);
    expect(screen.queryByRole("button", { name: /^4000/ })).toBeNull();
    disclosure.focus();
    await page.user.keyboard("{Enter}");
    expect(disclosure.getAttribute("aria-expanded")).toBe("true");
    await page.user.tab();
    await page.user.keyboard("{Enter}");
    expect(screen.getByLabelText("Card Number")).toHaveProperty("value", "4000 0000 0000 0002");
    expect(screen.getByLabelText("Security Code")).toHaveProperty("value", "123");
  });

  test("sends nothing while the device is offline, and takes the same card afterwards", async () => {
    const page = await goToPayment();
    await screen.findByLabelText("Card Number");
    const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    await pay(page);
    expect((await screen.findByRole("alert")).textContent).toContain("You’re offline. Nothing was charged.");
    expect(page.sent(CONFIRM)).toHaveLength(0);
    onLine.mockRestore();
    await page.user.click(screen.getByRole("button", { name: "Pay $59.80" }));
    await waitFor(() => expect(page.sent(CONFIRM)).toHaveLength(1));
  });

  test("takes a card in the month in which it expires", async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 10, 22), toFake: ["Date"] });
    const page = await goToPayment();
    await page.user.click(await screen.findByRole("button", { name: /^4242/ }));
    await page.user.clear(screen.getByLabelText("Expiration Date"));
    await page.user.type(screen.getByLabelText("Expiration Date"), "11/26");
    await page.user.click(screen.getByRole("button", { name: "Pay $59.80" }));
    await waitFor(() => expect(page.sent(CONFIRM)).toHaveLength(1));
  });

  test("tells a decline in words, and takes another card for the same payment", async () => {
    const responses = { ...OPEN, [CONFIRM]: DECLINED };
    const page = await goToPayment(responses);
    await pay(page, /^4000 0000 0000 0002/);
    expect((await screen.findByRole("alert")).textContent).toContain("Your card was declined.");
    expect(page.sent(ORDERS)).toHaveLength(0);
    await pay(page);
    await waitFor(() => expect(page.sent(CONFIRM)).toHaveLength(2));
    expect(page.sent(CREATE)).toHaveLength(1);
  });

  test("follows the bank's page", async () => {
    await redirectToBank();
    expect(loadDocument).toHaveBeenCalledWith("https://bank.example/ask");
  });

  test("comes back from the bank to its order", async () => {
    await redirectToBank();
    const back = openShop(RETURN_FROM_BANK, {
      ...OPEN,
      "GET /api/orders/o1": errorResponse(503, {}),
    });
    await waitFor(() => expect(back.router.state.location.pathname).toBe("/checkout/success"));
    expect(back.sent(ORDERS)).toHaveLength(1);
  });

  test("comes back from a bank that said no to another try, and keeps no secret in the address", async () => {
    await redirectToBank();
    const { router } = openShop(RETURN_FROM_BANK, {
      ...OPEN,
      [ORDERS]: errorResponse(402, { error: "x", code: "PaymentNotCompleted" }),
    });
    expect((await screen.findByRole("alert")).textContent).toBe(
      "The payment wasn’t completed. Try again or use another card.",
    );
    expect(screen.getByRole("button", { name: "Pay $59.80" })).toBeTruthy();
    expect(router.state.location.search).toBe("?step=payment");
    expect(router.state.historyAction).toBe("REPLACE");
  });

  // spec: An unexpected error occurred. Please try again.
  test("says so when the provider answers something unexpected", async () => {
    const page = await goToPayment({ ...OPEN, [CONFIRM]: { status: "processing" } });
    await pay(page);
    expect((await screen.findByRole("alert")).textContent).toBe("An unexpected error occurred. Please try again.");
  });

  // spec: Failed to create order. Please try again or contact support.
  test("never takes the money twice: after a payment only the order is asked for again", async () => {
    let tries = 0;
    const response = () => {
      tries += 1;
      return tries === 1 ? offline() : Response.json({ orderId: "o1" });
    };
    const page = await goToPayment({ ...OPEN, [ORDERS]: response });
    await pay(page);
    expect((await screen.findByRole("alert")).textContent).toBe(
      "Failed to create order. Please try again or contact support.",
    );
    expect(screen.queryByRole("button", { name: /^Pay/ })).toBeNull();
    expect(screen.getByRole("link", { name: "Contact Us" }).getAttribute("href")).toMatch(/^mailto:/);
    await page.user.click(screen.getByRole("button", { name: "Try Again" }));
    await waitFor(() => expect(loadDocument).toHaveBeenCalledWith("/checkout/success?order_id=o1"));
    expect(page.sent(CONFIRM)).toHaveLength(1);
  });

  test("asks for the order after a reload, when the money had moved", async () => {
    const page = await goToPayment({ ...OPEN, [ORDERS]: offline });
    await pay(page);
    await screen.findByRole("button", { name: "Try Again" });
    page.unmount();
    const again = openShop("/checkout", { ...OPEN, "GET /api/orders/o1": errorResponse(503, {}) });
    await waitFor(() => expect(again.router.state.location.pathname).toBe("/checkout/success"));
    expect(again.sent(ORDERS)).toHaveLength(1);
  });

  test("ends on the success page after the login when the session was ended elsewhere", async () => {
    const page = await goToPayment({
      ...OPEN,
      [ORDERS]: SESSION_REVOKED,
      "POST /api/auth/refresh-token": SESSION_REVOKED,
    });
    await pay(page);
    expect(await screen.findByText("You were logged out. Log in to continue.")).toBeTruthy();
    expect(screen.queryByText(/^Failed to create order/)).toBeNull();
    page.unmount();
    signIn("ada@example.com");
    const path = takeReturnPath() ?? "";
    expect(path).toBe("/checkout?step=payment");
    const back = openShop(path, { ...OPEN, "GET /api/orders/o1": ORDER });
    await waitFor(() => expect(back.router.state.location.pathname).toBe("/checkout/success"));
    expect(localStorage.getItem("cart")).toBe("[]");
  });

  test("takes what was ordered out of the cart, and leaves what another tab added meanwhile", async () => {
    const page = await goToPayment();
    await screen.findByRole("button", { name: "Pay $59.80" });
    const [one] = JSON.parse(localStorage.getItem("cart") ?? "[]") as { id: string; quantity: number }[];
    localStorage.setItem(
      "cart",
      JSON.stringify([
        { ...one, quantity: 3 },
        { ...one, id: "p2", quantity: 1 },
      ]),
    );
    await pay(page);
    await waitFor(() => expect(loadDocument).toHaveBeenCalledWith("/checkout/success?order_id=o1"));
    expect(JSON.parse(localStorage.getItem("cart") ?? "[]")).toMatchObject([
      { id: "p1", quantity: 1 },
      { id: "p2", quantity: 1 },
    ]);
  });

  test("tells when the items are no longer held, and holds them again", async () => {
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const responses: MockResponses = { ...OPEN, [CREATE]: { ...QUOTE, expires_at: expiresAt } };
    const page = await goToPayment(responses);
    await page.user.click(await screen.findByRole("button", { name: "Reserve Again" }));
    await waitFor(() => expect(page.sent(CREATE)).toHaveLength(2));
    expect(page.sent(CREATE)[1]?.body).toMatchObject({ replaces: "pi_1" });
  });
});

describe("a payment whose tab was closed", () => {
  /** Pays and closes the tab before the order is created. */
  async function payAndCloseTab() {
    const page = await goToPayment({ ...OPEN, [ORDERS]: () => new Promise(() => undefined) });
    await pay(page);
    await waitFor(() => expect(page.sent(ORDERS)).toHaveLength(1));
    page.unmount();
    sessionStorage.clear();
  }

  test("is told of as an order on the next visit, and its items leave the cart", async () => {
    await payAndCloseTab();
    fillCart(3);
    const page = openShop("/cart", { [ORDERS]: { orderId: "o1" }, "GET /api/orders/o1": { ...ORDER, number: 1007 } });
    const link = await screen.findByRole("link", { name: "Order 1007" });
    expect(link.getAttribute("href")).toBe("/order/o1");
    expect(link.closest("[role=status]")?.textContent).toContain("Order 1007 has been placed.");
    expect(page.sent(ORDERS).map((call) => call.body)).toEqual([{ paymentIntentId: "pi_1" }]);
    expect(await screen.findByLabelText("Quantity of Nudgelight One")).toHaveProperty("value", "1");
    page.unmount();
    const again = openShop("/cart", { [ORDERS]: { orderId: "o1" } });
    await screen.findByLabelText("Quantity of Nudgelight One");
    expect(again.sent(ORDERS)).toHaveLength(0);
  });

  test("is not paid for again: the checkout of the next visit is empty", async () => {
    await payAndCloseTab();
    openShop("/checkout", { ...OPEN, "GET /api/orders/o1": ORDER });
    expect(await screen.findByText("Your cart is empty.")).toBeTruthy();
    expect(screen.getByRole("link", { name: "Order 1001" })).toBeTruthy();
  });

  test("is neither asked for nor told of to anybody but the customer who paid", async () => {
    await payAndCloseTab();
    signIn("grace@example.com");
    const page = openShop("/cart", { [ORDERS]: { orderId: "o1" } });
    await screen.findByLabelText("Quantity of Nudgelight One");
    expect(page.sent(ORDERS)).toHaveLength(0);
    page.unmount();
    session.logOut();
    const visitor = openShop("/cart", { [ORDERS]: { orderId: "o1" }, "GET /api/orders/o1": ORDER });
    await screen.findByLabelText("Quantity of Nudgelight One");
    expect(visitor.sent(ORDERS)).toHaveLength(0);
    act(() => signIn("ada@example.com"));
    expect(await screen.findByRole("link", { name: "Order 1001" })).toBeTruthy();
  });

  test.each([
    ["while it is not paid", errorResponse(402, { error: "x", code: "PaymentNotCompleted" }), 1],
    ["when the shop can't be reached", offline, 1],
    ["until it has expired", errorResponse(409, { error: "x", code: "IntentExpired" }), 0],
  ])("is asked for again on each visit %s", async (_case, response, asksAgain) => {
    await payAndCloseTab();
    const first = openShop("/cart", { [ORDERS]: response });
    await waitFor(() => expect(first.sent(ORDERS)).toHaveLength(1));
    await screen.findByLabelText("Quantity of Nudgelight One");
    first.unmount();
    const second = openShop("/cart", { [ORDERS]: response });
    expect(await screen.findByLabelText("Quantity of Nudgelight One")).toHaveProperty("value", "2");
    await waitFor(() => expect(second.sent(ORDERS)).toHaveLength(asksAgain));
  });

  test("is forgotten when the card was declined", async () => {
    const page = await goToPayment({ ...OPEN, [CONFIRM]: DECLINED });
    await pay(page, /^4000 0000 0000 0002/);
    await screen.findByRole("alert");
    page.unmount();
    sessionStorage.clear();
    const next = openShop("/cart", OPEN);
    await screen.findByLabelText("Quantity of Nudgelight One");
    expect(next.sent(ORDERS)).toHaveLength(0);
  });
});

test("an empty cart has nothing to check out", async () => {
  localStorage.clear();
  signIn("ada@example.com");
  openShop("/checkout");
  expect(await screen.findByText("Your cart is empty.")).toBeTruthy();
});
