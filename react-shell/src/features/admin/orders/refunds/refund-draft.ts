import { formatMoney, parseMoney, type Order } from "../../../../shared/rules";
import type { RefundableParts, RefundRequest } from "./api";

/** What the administrator chose in the dialog. */
export interface RefundDraft {
  by: "items" | "amount";
  /** Units by product; none if missing. */
  quantities: Record<string, number>;
  shipping: boolean;
  restock: boolean;
  /** As typed. */
  amount: string;
}

/** Nothing yet. */
export const NO_REFUND: RefundDraft = { by: "items", quantities: {}, shipping: false, restock: false, amount: "" };

/** Everything that is left. After refunds by amount, items and shipping may be refunded while an amount is left. */
export function wholeRefund({ lines, shipping, amount }: RefundableParts): Partial<RefundDraft> {
  const quantities = Object.fromEntries(lines.map((line) => [line.product_id, line.quantity]));
  const hasParts = shipping > 0 || lines.some(({ quantity }) => quantity > 0);
  if (!hasParts) return { by: "amount", amount: amount.toFixed(2) };
  return { by: "items", quantities, shipping: shipping > 0 };
}

/** The chosen units of a product, as far as they are left. */
export function chosenQuantity(draft: RefundDraft, line: RefundableParts["lines"][number]): number {
  return Math.min(draft.quantities[line.product_id] ?? 0, line.quantity);
}

/** The request of a draft; undefined while nothing is chosen or the amount is invalid. */
export function refundRequest(draft: RefundDraft, order: Order, left: RefundableParts): RefundRequest | undefined {
  const { refunded } = order.payment;
  if (draft.by === "amount") {
    const amount = parseMoney(draft.amount);
    return amount.ok && amount.value > 0 ? { amount: amount.value, refunded } : undefined;
  }
  const lines = left.lines
    .map((line) => ({ product_id: line.product_id, quantity: chosenQuantity(draft, line) }))
    .filter(({ quantity }) => quantity > 0);
  const shipping = draft.shipping && left.shipping > 0;
  if (lines.length === 0 && !shipping) return undefined;
  return { lines, shipping, restock: draft.restock && lines.length > 0, refunded };
}

/** The error message for an invalid amount. */
export function checkAmount(typed: string, left: RefundableParts): string | undefined {
  const amount = parseMoney(typed);
  if (!amount.ok) return amount.error;
  return amount.value > 0 ? undefined : `Enter an amount up to ${formatMoney(left.amount)}.`;
}
