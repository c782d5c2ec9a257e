import type { Ref } from "react";
import type { PaymentsConfig } from "../../shared/env";
import type { Address } from "../../shared/rules";
import type { OpenIntent } from "./checkout-draft";

/** What the provider said to a card. */
export type PaymentResult =
  | { kind: "succeeded" }
  /** Something is missing in the form; the panel has said what. */
  | { kind: "incomplete" }
  /** No, in a person's words. Another card may be tried on the same payment. */
  | { kind: "declined"; message: string }
  /** The bank wants to ask its customer; the page is being left and comes back to the return address. */
  | { kind: "leaving" }
  | { kind: "unexpected" };

/** What the checkout asks of whoever takes the card. */
export interface PaymentHandle {
  confirm: (billing: Address, returnUrl: string) => Promise<PaymentResult>;
}

export interface PaymentPanelProps {
  ref: Ref<PaymentHandle>;
  intent: OpenIntent;
  payments: PaymentsConfig;
}
