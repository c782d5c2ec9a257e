/**
 * The only door to the shop's rules, which run here as WASM: the same code that the server runs. They answer at once,
 * so pages call them while they render.
 */
import init, {
  checkConfirmation as confirmationOf,
  quoteCart,
  validateAddress,
  validateEmail,
  validatePassword,
  validateTrackingNumber,
  type Address,
  type Cart,
  type Confirmation,
  type Country,
  type Quote,
  type ShippingRates,
} from "../generated/wasm-core/wasm_core.js";
import { commonPasswords } from "./common-passwords";

export {
  addToCart,
  cartCount,
  cartSubtotal,
  formatDate,
  formatMoney,
  formatWeight,
  leftToRefund,
  lineTotal,
  orderItemTotal,
  orderStatuses,
  orderStatusFilters,
  orderStatusLabel,
  paymentStatusLabel,
  quantityLimit,
  readCart,
  refreshCart,
  removeFromCart,
  setQuantity,
  states,
  stockBadge,
  stockLabel,
  taxLines,
  trackingLink,
  validateProduct,
} from "../generated/wasm-core/wasm_core.js";
export type {
  Address,
  Cart,
  CartLine,
  Country,
  HistoryEntry,
  Order,
  OrderItem,
  OrderListItem,
  OrderPage,
  OrderStatus,
  PaymentStatus,
  Product,
  ProductInput,
  Quote,
  ShippingRates,
  StockBadge,
  TaxCalculation,
  TaxLine,
} from "../generated/wasm-core/wasm_core.js";

/** Must have happened before any rule is asked. */
export async function startRules(): Promise<void> {
  await init();
}

/** A sentence where the address is wrong; nothing where it is right. */
export function checkEmail(typed: string): string | undefined {
  const outcome = validateEmail(typed);
  return outcome.ok ? undefined : outcome.error;
}

/** Customers' rule; the server holds an administrator's password to a longer one. */
export function checkPassword(typed: string, email: string, shopName: string): string | undefined {
  const outcome = validatePassword(typed, email, shopName, "customer", commonPasswords());
  return outcome.ok ? undefined : outcome.error;
}

export function checkConfirmation(kind: Confirmation, first: string, second: string): string | undefined {
  return confirmationOf(kind, first, second);
}

export function checkAddress(address: Address): Record<string, string> {
  const outcome = validateAddress(address);
  return outcome.ok ? {} : outcome.fields;
}

/** The address as the shop keeps it: trimmed, with codes in capitals. An invalid one stays as typed. */
export function keptAddress(address: Address): Address {
  const outcome = validateAddress(address);
  return outcome.ok ? outcome.value : address;
}

export function checkTrackingNumber(typed: string): string | undefined {
  const outcome = validateTrackingNumber(typed);
  return outcome.ok ? undefined : outcome.error;
}

/** What the cart costs in a country, before tax; undefined for a cart that has no price, like an empty one. */
export function estimateQuote(cart: Cart, country: Country, rates: ShippingRates): Quote | undefined {
  const outcome = quoteCart(cart, country, rates);
  return outcome.ok ? outcome.quote : undefined;
}
