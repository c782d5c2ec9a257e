import { ApiError, shortageSentence } from "../../shared/api-client";
import { forgetPayment, type OpenPayment } from "../../shared/open-payments";
import { session } from "../../shared/session";
import { readCart, writeCart } from "../cart/cart-store";
import { createOrder } from "./api";
import { dropCheckout, readCheckout } from "./checkout-draft";

/** What became of a payment that may have gone through. */
export type Finished =
  | { kind: "ordered"; orderId: string }
  /** The money has not moved: another card may be tried. */
  | { kind: "unpaid"; message: string }
  /** The money may have moved and there is no order yet: only the order is asked for again. */
  | { kind: "unordered"; message: string }
  /** The session ended. The order is asked for again after the log-in. */
  | { kind: "logged-out" };

/** Asks for the order of a payment. Asking again gives the same order, never a second one. */
export async function finishOrder(intentId: string): Promise<Finished> {
  try {
    const { orderId } = await createOrder(intentId);
    removeFromCart(forgetPayment(intentId)?.items ?? []);
    if (readCheckout().open?.id === intentId) dropCheckout();
    return { kind: "ordered", orderId };
  } catch (error) {
    if (session.state().kind === "anonymous") return { kind: "logged-out" };
    if (hasCode(error, "PaymentNotCompleted")) {
      return { kind: "unpaid", message: "The payment was not completed. Try again, or use another card." };
    }
    // There will never be an order: the payment expired or was refunded, or its intent is gone.
    if (hasCode(error, "IntentExpired", "NotFound")) forgetPayment(intentId);
    const otherwise = "Failed to create order. Please try again or contact support.";
    return { kind: "unordered", message: shortageSentence(error) ?? otherwise };
  }
}

/** Takes exactly what was ordered out of the cart; what was added meanwhile, here or in another tab, stays. */
function removeFromCart(items: OpenPayment["items"]): void {
  const ordered = new Map(items.map(({ id, quantity }) => [id, quantity]));
  writeCart(
    readCart().flatMap((line) => {
      const quantity = line.quantity - (ordered.get(line.id) ?? 0);
      return quantity > 0 ? [{ ...line, quantity }] : [];
    }),
  );
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ApiError && codes.includes(error.code);
}
