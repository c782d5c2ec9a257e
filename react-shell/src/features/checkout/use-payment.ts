import { useEffect, useRef, useState, type RefObject } from "react";
import { loadDocument } from "../../shared/document-navigation";
import { forgetPayment, rememberPayment, type OpenPayment } from "../../shared/open-payments";
import { paths } from "../../shared/paths";
import type { Address } from "../../shared/rules";
import type { OpenIntent } from "./checkout-draft";
import { finishOrder, type Finished } from "./finish-order";
import type { PaymentHandle } from "./payment";

/** Where the bank's page leads back to. */
const RETURN_URL = new URL(paths.checkoutStep("payment"), window.location.origin).href;
const UNEXPECTED = "An unexpected error occurred. Please try again.";

export type PaymentState =
  | { kind: "ready"; message?: string }
  | { kind: "paying" }
  /** The goods are no longer held. */
  | { kind: "lapsed" }
  /** Only the order is missing; paying again must not be possible. */
  | { kind: "unordered"; message: string };

interface Payment {
  panel: RefObject<PaymentHandle | null>;
  state: PaymentState;
  pay: (billing: Address) => Promise<void>;
  /** Asks for the order of a payment that has been made. */
  finish: () => Promise<void>;
}

/** From a filled-in card to an order. `returned` is what the bank's page came back with. */
export function usePayment(intent: OpenIntent, returned: Finished | undefined): Payment {
  const panel = useRef<PaymentHandle>(null);
  const [state, setState] = useState<PaymentState>(() => (returned ? after(returned) : { kind: "ready" }));
  const hasLapsed = useLapse(intent);

  async function finish() {
    const finished = await finishOrder(intent.id);
    if (finished.kind === "ordered") loadDocument(paths.checkoutSuccess(finished.orderId));
    else setState(after(finished));
  }

  async function pay(billing: Address) {
    if (!panel.current) return;
    setState({ kind: "paying" });
    rememberPayment(paymentOf(intent));
    const result = await panel.current.confirm(billing, RETURN_URL);
    if (result.kind === "declined" || result.kind === "incomplete") forgetPayment(intent.id);
    switch (result.kind) {
      case "leaving":
        return;
      case "succeeded":
        return finish();
      case "declined":
        return setState({ kind: "ready", message: `${result.message} Nothing was charged; you can try another card.` });
      case "incomplete":
        return setState({ kind: "ready" });
      case "unexpected":
        return setState({ kind: "ready", message: UNEXPECTED });
    }
  }

  return { panel, state: hasLapsed && state.kind === "ready" ? { kind: "lapsed" } : state, pay, finish };
}

function after(finished: Finished): PaymentState {
  if (finished.kind === "unordered") return { kind: "unordered", message: finished.message };
  return finished.kind === "unpaid" ? { kind: "ready", message: finished.message } : { kind: "paying" };
}

/** What is remembered until there is an order: this tab may be closed while the bank or the provider is busy. */
function paymentOf({ id, userId, cart }: OpenIntent): OpenPayment {
  return { intentId: id, userId, items: cart.map((line) => ({ id: line.id, quantity: line.quantity })) };
}

/** True from the moment on which the goods are no longer held. */
function useLapse(intent: OpenIntent): boolean {
  const [hasLapsed, setLapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLapsed(true), Math.max(0, Date.parse(intent.expiresAt) - Date.now()));
    return () => clearTimeout(timer);
  }, [intent.expiresAt]);
  return hasLapsed;
}
