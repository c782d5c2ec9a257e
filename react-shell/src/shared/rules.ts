/**
 * The shop's business rules, compiled to WASM from the same code that the server runs. Calls are synchronous, so pages
 * use them while rendering. Only this module imports the package.
 */
import init, {
  quoteCart,
  validateAddress,
  validateEmail,
  validatePassword,
  validateTrackingNumber,
  type Address,
  type Cart,
  type Country,
  type Quote,
  type ShippingRates,
} from "../generated/wasm-core/wasm_core.js";
import { commonPasswords } from "./common-passwords";

export {
  addToCart,
  cartCount,
  cartSubtotal,
  cardLabel,
  checkConfirmation,
  formatDate,
  formatMoney,
  formatWeight,
  leftToRefund,
  limitCartToStock,
  lineTotal,
  orderItemTotal,
  orderStatuses,
  orderStatusFilters,
  orderStatusLabel,
  parseDayRange,
  parseMoney,
  paymentStatusLabel,
  quantityLimit,
  quoteCart,
  readCart,
  readCartLink,
  refreshCart,
  regionOfPostalCode,
  removeFromCart,
  restoreCartLine,
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
  OrderAlert,
  OrderItem,
  OrderListItem,
  OrderPage,
  OrderStatus,
  PaymentStatus,
  Product,
  ProductForm,
  ProductInput,
  ProductList,
  Quote,
  ShippingRates,
  StockBadge,
  TaxCalculation,
  TaxLine,
} from "../generated/wasm-core/wasm_core.js";

/** Loads the WASM package. Required before any other function of this module. */
export async function startRules(): Promise<void> {
  await init();
}

/** The error message for an invalid email address. */
export function checkEmail(typed: string): string | undefined {
  const result = validateEmail(typed);
  return result.ok ? undefined : result.error;
}

/** The error message for a weak password. The server requires a longer one from an administrator. */
export function checkPassword(typed: string, email: string, shopName: string): string | undefined {
  const result = validatePassword(typed, email, shopName, "customer", commonPasswords());
  return result.ok ? undefined : result.error;
}

export function checkAddress(address: Address): Record<string, string> {
  const result = validateAddress(address);
  return result.ok ? {} : result.fields;
}

/** Trims an address and uppercases its codes, as the server does. Returns an invalid address unchanged. */
export function normalizedAddress(address: Address): Address {
  const result = validateAddress(address);
  return result.ok ? result.value : address;
}

export function checkTrackingNumber(typed: string): string | undefined {
  const result = validateTrackingNumber(typed);
  return result.ok ? undefined : result.error;
}

/** The cart's price with shipping and an estimated tax; undefined for a cart without a quote, like an empty one. */
export function estimateQuote(cart: Cart, country: Country, rates: ShippingRates, tax?: number): Quote | undefined {
  const result = quoteCart(cart, country, rates, tax);
  return result.ok ? result.quote : undefined;
}
