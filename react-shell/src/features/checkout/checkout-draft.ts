import type { TypedAddress } from "../../shared/address-form";
import { deleteDraft, saveDraft, readDraft } from "../../shared/draft";
import type { Address, Cart, TaxLine } from "../../shared/rules";

const NAME = "checkout";

/** The state of a checkout, saved in session storage. */
interface CheckoutDraft {
  /** The customer to whom the address and the payment belong. */
  userId?: string;
  typed: TypedAddress;
  open?: OpenIntent;
}

/** An open payment intent: the quote that it charges, and when its stock reservation expires. */
export interface OpenIntent {
  id: string;
  userId: string;
  clientSecret: string;
  expiresAt: string;
  cart: Cart;
  /** Whether prices have changed since the address step. */
  hasNewPrices?: boolean;
  address: Address;
  subtotal: number;
  shipping: number;
  taxLines: TaxLine[];
  total: number;
}

export function readCheckout(): CheckoutDraft {
  return (readDraft(NAME) as CheckoutDraft | undefined) ?? { typed: {} };
}

/** Reads the customer's draft. A draft of another customer, whose session ended in this tab, is discarded. */
export function readCheckoutFor(userId: string): CheckoutDraft {
  if (readCheckout().userId !== userId) saveDraft(NAME, { userId, typed: {} });
  return readCheckout();
}

export function saveCheckout(change: Partial<CheckoutDraft>): void {
  saveDraft(NAME, { ...readCheckout(), ...change });
}

export function clearCheckout(): void {
  deleteDraft(NAME);
}

export function hasExpired(intent: OpenIntent): boolean {
  return Date.now() >= Date.parse(intent.expiresAt);
}

/** Whether the intent charges the current cart. */
export function matchesCart(intent: OpenIntent, cart: Cart): boolean {
  return quoteKey(intent.cart) === quoteKey(cart);
}

function quoteKey(cart: Cart): string {
  return JSON.stringify(cart.map(({ id, quantity, price }) => [id, quantity, price]));
}
