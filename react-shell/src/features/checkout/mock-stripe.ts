import type { PaymentsConfig } from "../../shared/shop-config";
import type { Address } from "../../shared/rules";
import type { OpenIntent } from "./checkout-draft";
import type { PaymentResult } from "./payment";

export interface Card {
  number: string;
  expMonth: string;
  expYear: string;
  cvc: string;
}

interface ConfirmResponse {
  status?: string;
  next_action?: { redirect_to_url?: { url?: string } } | null;
  error?: { type?: string; message?: string };
}

/** Confirms a payment intent with a card through the embedded mock of Stripe's HTTP API. */
export async function confirmWithCard(
  payments: PaymentsConfig,
  intent: OpenIntent,
  card: Card,
  billing: Address,
  returnUrl: string,
): Promise<{ result: PaymentResult; redirectUrl?: string }> {
  const body = new URLSearchParams({
    key: payments.publishable_key,
    client_secret: intent.clientSecret,
    return_url: returnUrl,
    "payment_method_data[type]": "card",
    "payment_method_data[card][number]": card.number,
    "payment_method_data[card][exp_month]": card.expMonth,
    "payment_method_data[card][exp_year]": card.expYear,
    "payment_method_data[card][cvc]": card.cvc,
    ...billingDetails(billing),
  });
  try {
    const path = `${payments.api_base}/v1/payment_intents/${encodeURIComponent(intent.id)}/confirm`;
    const response = await fetch(path, { method: "POST", body });
    return toPaymentResult((await response.json()) as ConfirmResponse);
  } catch {
    return { result: { kind: "unexpected" } };
  }
}

function toPaymentResult(response: ConfirmResponse): { result: PaymentResult; redirectUrl?: string } {
  if (response.error?.type === "card_error") {
    return { result: { kind: "declined", message: response.error.message ?? "Your card was declined." } };
  }
  if (response.status === "succeeded") return { result: { kind: "succeeded" } };
  const redirectUrl = response.next_action?.redirect_to_url?.url;
  if (response.status === "requires_action" && redirectUrl !== undefined)
    return { result: { kind: "redirecting" }, redirectUrl };
  return { result: { kind: "unexpected" } };
}

function billingDetails({ name, phone, address }: Address): Record<string, string> {
  const prefix = "payment_method_data[billing_details]";
  return {
    [`${prefix}[name]`]: name,
    ...(phone && { [`${prefix}[phone]`]: phone }),
    [`${prefix}[address][line1]`]: address.line1,
    ...(address.line2 && { [`${prefix}[address][line2]`]: address.line2 }),
    [`${prefix}[address][city]`]: address.city,
    [`${prefix}[address][state]`]: address.state,
    [`${prefix}[address][postal_code]`]: address.postal_code,
    [`${prefix}[address][country]`]: address.country,
  };
}
