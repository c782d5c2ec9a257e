import type { Ref } from "react";
import type { PaymentsConfig } from "../../shared/shop-config";
import type { Address } from "../../shared/rules";
import type { OpenIntent } from "./checkout-draft";

/** The provider's result of a card payment. */
export type PaymentResult =
  | { kind: "succeeded" }
  /** The card form is incomplete; the panel shows its errors. */
  | { kind: "incomplete" }
  /** The card was declined. The customer can try another card with the same intent. */
  | { kind: "declined"; message: string }
  /** 3-D Secure: the browser is redirected to the bank, which redirects to the return URL. */
  | { kind: "redirecting" }
  | { kind: "unexpected" };

/** The payment panel's imperative handle. */
export interface PaymentHandle {
  confirm: (billing: Address, returnUrl: string) => Promise<PaymentResult>;
}

export interface PaymentPanelProps {
  ref: Ref<PaymentHandle>;
  intent: OpenIntent;
  payments: PaymentsConfig;
}
