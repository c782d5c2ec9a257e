import { serverFields, shortProduct, shortageSentence } from "../../shared/api-client";
import { toAddress, type TypedAddress } from "../../shared/address-form";
import { failed, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { cartSubtotal, keptAddress, taxLines, type Cart } from "../../shared/rules";
import { atCurrentPrices } from "../cart/current-prices";
import { createIntent } from "./api";
import { keepCheckout, readCheckoutOf, type OpenIntent } from "./checkout-draft";

const SERVER_PREFIX = "shippingAddress.";

/** Asks the server for the quote and a payment over it, in place of one that is still open. */
export async function openIntent(userId: string, typed: TypedAddress, cart: Cart): Promise<OpenIntent | Outcome> {
  const before = readCheckoutOf(userId).open;
  keepCheckout({ typed });
  const address = keptAddress(toAddress(typed));
  try {
    const answer = await createIntent({
      currency: "usd",
      shippingAddress: address,
      items: cart.map((line) => ({ product_id: line.id, quantity: line.quantity })),
      ...(before !== undefined && { replaces: before.id }),
    });
    const isAsShown = answer.subtotal === cartSubtotal(cart);
    const open: OpenIntent = {
      id: answer.paymentIntent.id,
      userId,
      clientSecret: answer.paymentIntent.client_secret,
      expiresAt: answer.expiresAt,
      // The server's prices count. Without an answer the lines stay as they were shown, and the total is right.
      cart: isAsShown ? cart : await atCurrentPrices(cart).catch(() => cart),
      hasNewPrices: !isAsShown,
      address,
      subtotal: answer.subtotal,
      shipping: answer.shippingCost,
      taxLines: taxLines(answer.taxCalculation.tax_breakdown),
      total: answer.total,
    };
    keepCheckout({ open });
    return open;
  } catch (error) {
    return refused(error, cart);
  }
}

/** A refusal about the cart's items leads to the cart, to the line that is short if there is one. */
function refused(error: unknown, cart: Cart): Outcome {
  const fields = serverFields(error);
  const shortage = shortageSentence(error);
  const sentences =
    shortage ?? ["Failed to set up payment. Please try again.", fields["items"]].filter(Boolean).join(" ");
  const outcome = failed(sentences, addressFields(fields));
  if (shortage === undefined && fields["items"] === undefined) return outcome;
  const short = cart.find((line) => line.name === shortProduct(error));
  return { ...outcome, wayOn: { to: short ? paths.cartLine(short.id) : paths.cart, label: "Change your cart" } };
}

/** The server names an address's fields from the top of the request; the form names them from the address. */
function addressFields(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, sentence]) => [
      name.startsWith(SERVER_PREFIX) ? name.slice(SERVER_PREFIX.length) : name,
      sentence,
    ]),
  );
}
