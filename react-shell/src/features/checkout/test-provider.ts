import type { PaymentsConfig } from "../../shared/env";
import type { Address } from "../../shared/rules";
import type { OpenIntent } from "./checkout-draft";
import type { PaymentResult } from "./payment";

export interface Card {
  number: string;
  expMonth: string;
  expYear: string;
  cvc: string;
}

interface ProviderAnswer {
  status?: string;
  next_action?: { redirect_to_url?: { url?: string } } | null;
  error?: { type?: string; message?: string };
}

/** Confirms a payment with a card at the embedded test provider, which speaks Stripe's own HTTP API. */
export async function confirmWithCard(
  payments: PaymentsConfig,
  intent: OpenIntent,
  card: Card,
  billing: Address,
  returnUrl: string,
): Promise<{ result: PaymentResult; leaveTo?: string }> {
  const body = new URLSearchParams({
    key: payments.publishableKey,
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
    const path = `${payments.apiBase}/v1/payment_intents/${encodeURIComponent(intent.id)}/confirm`;
    const response = await fetch(path, { method: "POST", body });
    return read((await response.json()) as ProviderAnswer);
  } catch {
    return { result: { kind: "unexpected" } };
  }
}

function read(answer: ProviderAnswer): { result: PaymentResult; leaveTo?: string } {
  if (answer.error?.type === "card_error") {
    return { result: { kind: "declined", message: answer.error.message ?? "Your card was declined." } };
  }
  if (answer.status === "succeeded") return { result: { kind: "succeeded" } };
  const leaveTo = answer.next_action?.redirect_to_url?.url;
  if (answer.status === "requires_action" && leaveTo !== undefined) return { result: { kind: "leaving" }, leaveTo };
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
