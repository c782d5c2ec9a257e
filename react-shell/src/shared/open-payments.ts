import { localStore } from "./storage";

const KEY = "open-payments";

/** A payment that was sent to the provider and whose order this browser has not seen yet. */
export interface OpenPayment {
  intentId: string;
  /** Whose payment it is: another person at this browser neither asks for it nor hears of it. */
  userId: string;
  /** What it pays for; taken out of the cart once there is an order. */
  items: { id: string; quantity: number }[];
}

/** Kept across tabs, because the tab that pays may be closed before its order is made. */
export function rememberPayment(payment: OpenPayment): void {
  write([...others(payment.intentId), payment]);
}

export function openPaymentsOf(userId: string): OpenPayment[] {
  return read().filter((payment) => payment.userId === userId);
}

export function isOpenPayment(intentId: string): boolean {
  return read().some((payment) => payment.intentId === intentId);
}

/** Forgets a payment and gives it to the first tab that does, so that its items leave the cart once. */
export function forgetPayment(intentId: string): OpenPayment | undefined {
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
