import type { TypedAddress } from "../../shared/address-form";
import { dropDraft, keepDraft, readDraft } from "../../shared/draft";
import type { Address, Cart, TaxLine } from "../../shared/rules";

const NAME = "checkout";

/** How far somebody has come. */
export interface CheckoutDraft {
  typed: TypedAddress;
  open?: OpenIntent;
}

/** A payment that waits for a card: what was quoted, for whom, and until when the goods are held. */
export interface OpenIntent {
  id: string;
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
  /** The money has moved; what is missing is the order. */
  isPaid?: true;
}

export function readCheckout(): CheckoutDraft {
  return (readDraft(NAME) as CheckoutDraft | undefined) ?? { typed: {} };
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
