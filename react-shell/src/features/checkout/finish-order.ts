import { ApiError, insufficientStockMessage } from "../../shared/api-client";
import { removeOpenPayment, type OpenPayment } from "../../shared/open-payments";
import { session } from "../../shared/session";
import { readCart, writeCart } from "../cart/cart-store";
import { createOrder } from "./api";
import { clearCheckout, readCheckout } from "./checkout-draft";

/** The result of requesting the order of a payment. */
export type OrderResult =
  | { kind: "ordered"; orderId: string }
  /** Nothing was charged. The customer can try another card. */
  | { kind: "unpaid"; message: string }
  /**
   * The card may have been charged, but there is no order yet. Only the order is requested again, never the payment.
   */
  | { kind: "order-pending"; message: string }
  /** The session has ended. The order is requested again after a login. */
  | { kind: "logged-out" };

/** Requests the order of a payment. Idempotent: a retry returns the same order, never a second one. */
export async function finishOrder(intentId: string): Promise<OrderResult> {
  try {
    const { orderId } = await createOrder(intentId);
    removeOrderedItems(removeOpenPayment(intentId)?.items ?? []);
    if (readCheckout().open?.id === intentId) clearCheckout();
    return { kind: "ordered", orderId };
  } catch (error) {
    if (session.state().kind === "anonymous") return { kind: "logged-out" };
    if (hasCode(error, "PaymentNotCompleted")) {
      return { kind: "unpaid", message: "The payment wasn’t completed. Try again or use another card." };
    }
    // Final: the payment expired or was refunded, or its intent does not exist.
    if (hasCode(error, "IntentExpired", "NotFound")) removeOpenPayment(intentId);
    const fallback = "Failed to create order. Please try again or contact support.";
    return { kind: "order-pending", message: insufficientStockMessage(error) ?? fallback };
  }
}

/** Removes the ordered quantities from the cart. Items added meanwhile, here or in another tab, stay. */
function removeOrderedItems(items: OpenPayment["items"]): void {
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
