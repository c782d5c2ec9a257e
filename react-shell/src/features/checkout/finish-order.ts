import { ApiError, shortageSentence } from "../../shared/api-client";
import { clearCart } from "../cart/cart-store";
import { createOrder } from "./api";
import { dropCheckout, keepCheckout, type OpenIntent } from "./checkout-draft";

/** What became of a payment that may have gone through. */
export type Finished =
  | { kind: "ordered"; orderId: string }
  /** The money has not moved: another card may be tried. */
  | { kind: "unpaid"; message: string }
  /** The money may have moved and there is no order yet: only the order is asked for again. */
  | { kind: "unordered"; message: string };

/** Asks for the order of a payment. Asking again gives the same order, never a second one. */
export async function finishOrder(intent: OpenIntent): Promise<Finished> {
  try {
    const { orderId } = await createOrder(intent.id);
    clearCart();
    dropCheckout();
    return { kind: "ordered", orderId };
  } catch (error) {
    if (isUnpaid(error)) {
      const { isPaid: _, ...unpaid } = intent;
      keepCheckout({ open: unpaid });
      return { kind: "unpaid", message: "The payment was not completed. Try again, or use another card." };
    }
    const otherwise = "Failed to create order. Please try again or contact support.";
    return { kind: "unordered", message: shortageSentence(error) ?? otherwise };
  }
}

export function markPaid(intent: OpenIntent): void {
  keepCheckout({ open: { ...intent, isPaid: true } });
}

function isUnpaid(error: unknown): boolean {
  return error instanceof ApiError && error.code === "PaymentNotCompleted";
}
