import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { loadDocument } from "../../shared/document-navigation";
import { CONFIG, fillCart, openShop, signIn } from "../../test-shop";

vi.mock("@stripe/stripe-js/pure", () => ({ loadStripe: vi.fn<typeof loadStripe>() }));

const QUOTE = {
  paymentIntent: { id: "pi_1", client_secret: "pi_1_secret" },
  taxCalculation: { id: "taxcalc_1", tax_amount_exclusive: 0, tax_breakdown: [] },
  subtotal: 49.98,
  shippingCost: 6.2,
  total: 56.18,
  expires_at: new Date(Date.now() + 900_000).toISOString(),
};

const confirmPayment = vi.fn<Stripe["confirmPayment"]>();
const elements = vi.fn<(options: object) => object>();

/** Mocks the part of Stripe.js that the checkout uses. */
function mockStripe() {
  const element = { mount: (host: HTMLElement) => host.append("Stripe's card form"), destroy: () => undefined };
  elements.mockReturnValue({ create: () => element, getElement: () => element });
  vi.mocked(loadStripe).mockResolvedValue({ elements, confirmPayment } as unknown as Stripe);
}

function mockConfirmPayment(response: object) {
  confirmPayment.mockResolvedValue(response as Awaited<ReturnType<Stripe["confirmPayment"]>>);
}

async function pay() {
  const page = openShop("/checkout", {
    "GET /api/config": { ...CONFIG, payments: { kind: "stripe", publishable_key: "pk_test_real", api_base: "" } },
    "POST /api/payments/create-intent": QUOTE,
    "POST /api/orders": { orderId: "o1" },
  });
  fireEvent.input(await screen.findByLabelText("Full Name"), { target: { value: "Ada Lovelace" } });
  fireEvent.input(screen.getByLabelText("Address"), { target: { value: "12 Front St" } });
  fireEvent.input(screen.getByLabelText("City"), { target: { value: "Portland" } });
  fireEvent.change(screen.getByLabelText("State"), { target: { value: "OR" } });
  fireEvent.input(screen.getByLabelText("ZIP Code"), { target: { value: "97201" } });
  await page.user.click(screen.getByRole("button", { name: "Continue to Payment" }));
  await waitFor(() => expect(loadStripe).toHaveBeenCalledWith("pk_test_real"));
  await page.user.click(await screen.findByRole("button", { name: "Pay $56.18" }));
  return page;
}

describe("paying through Stripe", () => {
  beforeEach(() => {
    signIn("ada@example.com");
    fillCart(2);
    window.matchMedia = () => ({ matches: false }) as MediaQueryList;
    mockStripe();
  });

  test("mounts Stripe's element for the payment and makes the order when it succeeds", async () => {
    mockConfirmPayment({ paymentIntent: { status: "succeeded" } });
    const page = await pay();
    await waitFor(() => expect(loadDocument).toHaveBeenCalledWith("/checkout/success?order_id=o1"));
    expect(elements).toHaveBeenCalledWith(expect.objectContaining({ clientSecret: "pi_1_secret" }));
    expect(confirmPayment.mock.calls[0]?.[0]).toMatchObject({
      redirect: "if_required",
      confirmParams: {
        return_url: "http://localhost:3000/checkout?step=payment",
        payment_method_data: { billing_details: { name: "Ada Lovelace", address: { state: "OR", country: "US" } } },
      },
    });
    expect(page.sent("POST /api/orders")[0]?.body).toEqual({ paymentIntentId: "pi_1" });
  });

  test("shows Stripe's own words for a declined card, and asks for no order", async () => {
    mockConfirmPayment({ error: { type: "card_error", message: "Your card has insufficient funds." } });
    const page = await pay();
    expect((await screen.findByRole("alert")).textContent).toContain("Your card has insufficient funds.");
    expect(page.sent("POST /api/orders")).toHaveLength(0);
  });

  test("leaves what is missing to Stripe's element", async () => {
    mockConfirmPayment({ error: { type: "validation_error", message: "Your card number is incomplete." } });
    await pay();
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Pay $56.18" }).getAttribute("aria-disabled")).toBe("false"),
    );
    expect(screen.queryByRole("alert")).toBeNull();
  });

  test("says so when something else comes back", async () => {
    mockConfirmPayment({ paymentIntent: { status: "processing" } });
    await pay();
    expect((await screen.findByRole("alert")).textContent).toBe("An unexpected error occurred. Please try again.");
  });

  test("says so when Stripe's script can't be loaded", async () => {
    vi.mocked(loadStripe).mockRejectedValue(new Error("Failed to load Stripe.js"));
    await pay();
    expect(await screen.findByText(/The card form couldn’t be loaded/)).toBeTruthy();
  });

  test("loads Stripe's script again when asked to", async () => {
    vi.mocked(loadStripe).mockRejectedValueOnce(new Error("Failed to load Stripe.js"));
    const page = await pay();
    await page.user.click(await screen.findByRole("button", { name: "Try Again" }));
    await waitFor(() => expect(screen.queryByText(/The card form couldn’t be loaded/)).toBeNull());
    expect(vi.mocked(loadStripe).mock.calls.length).toBeGreaterThan(1);
  });
});
