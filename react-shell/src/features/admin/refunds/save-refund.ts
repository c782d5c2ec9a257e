import { serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { failed, fieldValue, succeeded } from "../../../shared/form-result";
import { formatMoney } from "../../../shared/rules";
import type { SaveOrderResult } from "../save-order";
import { createRefund, type RefundRequest } from "./api";

/** Makes the refund that the form carries as JSON. */
export async function saveRefund(orderId: string, form: FormData): Promise<SaveOrderResult> {
  const request = JSON.parse(fieldValue(form, "request")) as RefundRequest;
  try {
    const { parts } = await createRefund(orderId, request);
    return succeeded(`Refunded ${formatMoney(parts.amount)}.`);
  } catch (error) {
    return { ...failed("Failed to refund"), reason: refundError(error) };
  }
}

/** The message of the first invalid field, or of the error. */
export function refundError(error: unknown): string {
  const [message] = Object.values(serverFieldErrors(error));
  return message ?? serverMessage(error, "The shop couldn’t be reached. Please try again.");
}
