import { useEffect, useRef, useState, type RefObject } from "react";
import { loadDocument } from "../../shared/document-navigation";
import { removeOpenPayment, saveOpenPayment, type OpenPayment } from "../../shared/open-payments";
import { paths } from "../../shared/paths";
import type { Address } from "../../shared/rules";
import type { OpenIntent } from "./checkout-draft";
import { finishOrder, type OrderResult } from "./finish-order";
import type { PaymentHandle } from "./payment";

/** The return URL after 3-D Secure. */
const RETURN_URL = new URL(paths.checkoutStep("payment"), window.location.origin).href;
const UNEXPECTED = "An unexpected error occurred. Please try again.";
const OFFLINE = "You’re offline. Nothing was charged. Connect to the internet, then pay again.";

type PaymentState =
  | { kind: "ready"; message?: string }
  | { kind: "paying" }
  /** The stock reservation has expired. */
  | { kind: "expired" }
  /** Only the order is missing. A second payment must not be possible. */
  | { kind: "order-pending"; message: string };

interface Payment {
  panel: RefObject<PaymentHandle | null>;
  state: PaymentState;
  pay: (billing: Address) => Promise<void>;
  /** Requests the order of a completed payment. */
  finish: () => Promise<void>;
}

/** Pays the intent and requests its order. `orderResult` is the result after a return from 3-D Secure. */
export function usePayment(intent: OpenIntent, orderResult: OrderResult | undefined): Payment {
  const panel = useRef<PaymentHandle>(null);
  const [state, setState] = useState<PaymentState>(() =>
    orderResult ? toPaymentState(orderResult) : { kind: "ready" },
  );
  const hasExpired = useExpiry(intent);

  async function finish() {
    const result = await finishOrder(intent.id);
    if (result.kind === "ordered") loadDocument(paths.checkoutSuccess(result.orderId));
    else setState(toPaymentState(result));
  }

  async function pay(billing: Address) {
    if (!panel.current) return;
    // Only before anything is sent is it certain that nothing was charged.
    if (!navigator.onLine) return setState({ kind: "ready", message: OFFLINE });
    setState({ kind: "paying" });
    saveOpenPayment(toOpenPayment(intent));
    const result = await panel.current.confirm(billing, RETURN_URL);
    if (result.kind === "declined" || result.kind === "incomplete") removeOpenPayment(intent.id);
    switch (result.kind) {
      case "redirecting":
        return;
      case "succeeded":
        return finish();
      case "declined":
        return setState({ kind: "ready", message: `${result.message} You weren’t charged. You can try another card.` });
      case "incomplete":
        return setState({ kind: "ready" });
      case "unexpected":
        return setState({ kind: "ready", message: UNEXPECTED });
    }
  }

  return { panel, state: hasExpired && state.kind === "ready" ? { kind: "expired" } : state, pay, finish };
}

function toPaymentState(result: OrderResult): PaymentState {
  if (result.kind === "order-pending") return { kind: "order-pending", message: result.message };
  return result.kind === "unpaid" ? { kind: "ready", message: result.message } : { kind: "paying" };
}

/** The payment to store until its order exists, in case this tab is closed meanwhile. */
function toOpenPayment({ id, userId, cart }: OpenIntent): OpenPayment {
  return { intentId: id, userId, items: cart.map((line) => ({ id: line.id, quantity: line.quantity })) };
}

/** Whether the stock reservation has expired. */
function useExpiry(intent: OpenIntent): boolean {
  const [hasExpired, setExpired] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setExpired(true), Math.max(0, Date.parse(intent.expiresAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [intent.expiresAt]);
  return hasExpired;
}
