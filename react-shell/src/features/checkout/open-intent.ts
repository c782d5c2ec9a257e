import { ApiError, insufficientStock, insufficientStockMessage, serverFieldErrors } from "../../shared/api-client";
import { toAddress, withoutPrefix, type TypedAddress } from "../../shared/address-form";
import { failed, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { cartSubtotal, normalizedAddress, taxLines, type Cart } from "../../shared/rules";
import { withCurrentPrices } from "../cart/current-prices";
import { createIntent } from "./api";
import { readCheckoutFor, saveCheckout, type OpenIntent } from "./checkout-draft";
import { finishOrder } from "./finish-order";

/** The order of the payment that was to be replaced: it was made already. */
export interface PlacedOrder {
  placedOrderId: string;
}

/** Requests a quote and a payment intent for it. The new intent replaces one that is still open. */
export async function openIntent(
  userId: string,
  typed: TypedAddress,
  cart: Cart,
): Promise<OpenIntent | PlacedOrder | FormResult> {
  const previous = readCheckoutFor(userId).open;
  saveCheckout({ typed });
  const address = normalizedAddress(toAddress(typed));
  try {
    const response = await createIntent({
      currency: "usd",
      shippingAddress: address,
      items: cart.map((line) => ({ product_id: line.id, quantity: line.quantity })),
      ...(previous !== undefined && { replaces: previous.id }),
    });
    const isAsDisplayed = response.subtotal === cartSubtotal(cart);
    const open: OpenIntent = {
      id: response.paymentIntent.id,
      userId,
      clientSecret: response.paymentIntent.client_secret,
      expiresAt: response.expires_at,
      // The server's total is final. If the catalog cannot be loaded, the lines keep their displayed prices.
      cart: isAsDisplayed ? cart : await withCurrentPrices(cart).catch(() => cart),
      hasNewPrices: !isAsDisplayed,
      address,
      subtotal: response.subtotal,
      shipping: response.shippingCost,
      taxLines: taxLines(response.taxCalculation.tax_breakdown),
      total: response.total,
    };
    saveCheckout({ open });
    return open;
  } catch (error) {
    const placedOrderId = findPlacedOrder(error);
    if (placedOrderId === undefined || previous === undefined) return intentFailure(error, cart);
    // Removes the ordered items from the cart, and the payment from this browser.
    await finishOrder(previous.id);
    return { placedOrderId };
  }
}

function findPlacedOrder(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "IntentExpired") return undefined;
  return error.body.details?.orderId;
}

/** The form result of a rejected intent. An error about the items links to the cart, to the affected line if known. */
function intentFailure(error: unknown, cart: Cart): FormResult {
  const fields = serverFieldErrors(error);
  const shortage = insufficientStockMessage(error);
  const reason = navigator.onLine ? fields["items"] : "You’re offline. Nothing was charged.";
  const message = shortage ?? ["Failed to set up payment. Please try again.", reason].filter(Boolean).join(" ");
  const result = failed(message, withoutPrefix(fields, "shippingAddress."));
  if (shortage === undefined && fields["items"] === undefined) return result;
  const line = cart.find(({ name }) => name === insufficientStock(error)?.product);
  return { ...result, link: { to: line ? paths.cartLine(line.id) : paths.cart, label: "Edit your cart" } };
}
