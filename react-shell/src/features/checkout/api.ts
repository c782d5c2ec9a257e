import type { Address, Order, TaxCalculation } from "../../shared/rules";
import { requestSignedIn } from "../../shared/signed-in";

interface IntentRequest {
  currency: "usd";
  shippingAddress: Address;
  items: { product_id: string; quantity: number }[];
  /** An open intent of the same person: it is cancelled, and its stock used for the new one. */
  replaces?: string;
}

export interface IntentAnswer {
  paymentIntent: { id: string; client_secret: string };
  taxCalculation: TaxCalculation;
  subtotal: number;
  shippingCost: number;
  total: number;
  /** RFC 3339; until then the goods are held. */
  expiresAt: string;
}

export const createIntent = (body: IntentRequest) =>
  requestSignedIn<IntentAnswer>("POST", "/api/payments/create-intent", { body });
export const createOrder = (paymentIntentId: string) =>
  requestSignedIn<{ orderId: string }>("POST", "/api/orders", { body: { paymentIntentId } });
export const findOrder = (id: string) => requestSignedIn<Order>("GET", `/api/orders/${encodeURIComponent(id)}`);
