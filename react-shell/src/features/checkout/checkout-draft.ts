import type { TypedAddress } from "../../shared/address-form";
import { dropDraft, keepDraft, readDraft } from "../../shared/draft";
import type { Address, Cart, TaxLine } from "../../shared/rules";

const NAME = "checkout";

/** How far a customer has come. */
export interface CheckoutDraft {
  /** Whose address and payment these are. */
  userId?: string;
  typed: TypedAddress;
  open?: OpenIntent;
}

/** A payment that waits for a card: what was quoted, for whom, and until when the goods are held. */
export interface OpenIntent {
  id: string;
  userId: string;
  clientSecret: string;
  expiresAt: string;
  cart: Cart;
  /** The prices are not those that the address step showed. */
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

/** This customer's draft. Another customer, whose session ended elsewhere, may have left one in this tab: it is dropped. */
export function readCheckoutOf(userId: string): CheckoutDraft {
  if (readCheckout().userId !== userId) keepDraft(NAME, { userId, typed: {} });
  return readCheckout();
}

export function keepCheckout(change: Partial<CheckoutDraft>): void {
  keepDraft(NAME, { ...readCheckout(), ...change });
}

export function dropCheckout(): void {
  dropDraft(NAME);
}

export function hasLapsed(intent: OpenIntent): boolean {
  return Date.now() >= Date.parse(intent.expiresAt);
}

/** What was quoted is what lies in the cart. */
export function isFor(intent: OpenIntent, cart: Cart): boolean {
  return quoted(intent.cart) === quoted(cart);
}

function quoted(cart: Cart): string {
  return JSON.stringify(cart.map(({ id, quantity, price }) => [id, quantity, price]));
}
