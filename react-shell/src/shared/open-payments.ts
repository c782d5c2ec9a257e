import { localStore } from "./storage";

const KEY = "open-payments";

/** A payment sent to the provider whose order this browser has not seen yet. */
export interface OpenPayment {
  intentId: string;
  /** The customer who pays. Other users of this browser never see the payment. */
  userId: string;
  /** The paid items, to be removed from the cart once the order exists. */
  items: { id: string; quantity: number }[];
}

/** Stores the payment across tabs: the paying tab may be closed before its order exists. */
export function saveOpenPayment(payment: OpenPayment): void {
  write([...others(payment.intentId), payment]);
}

export function listOpenPayments(userId: string): OpenPayment[] {
  return read().filter((payment) => payment.userId === userId);
}

export function isOpenPayment(intentId: string): boolean {
  return read().some((payment) => payment.intentId === intentId);
}

/** Removes a payment and returns it to the first caller only, so that its items leave the cart once. */
export function removeOpenPayment(intentId: string): OpenPayment | undefined {
  const payment = read().find((open) => open.intentId === intentId);
  if (payment !== undefined) write(others(intentId));
  return payment;
}

function others(intentId: string): OpenPayment[] {
  return read().filter((payment) => payment.intentId !== intentId);
}

function write(payments: OpenPayment[]): void {
  if (payments.length === 0) localStore.removeItem(KEY);
  else localStore.setItem(KEY, JSON.stringify(payments));
}

function read(): OpenPayment[] {
  try {
    const stored: unknown = JSON.parse(localStore.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isPayment) : [];
  } catch {
    return [];
  }
}

function isPayment(value: unknown): value is OpenPayment {
  if (typeof value !== "object" || value === null) return false;
  const { intentId, userId, items } = value as Partial<OpenPayment>;
  return typeof intentId === "string" && typeof userId === "string" && Array.isArray(items) && items.every(isItem);
}

function isItem(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { id, quantity } = value as { id?: unknown; quantity?: unknown };
  return typeof id === "string" && Number.isInteger(quantity);
}
