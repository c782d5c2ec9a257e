import { serverFieldErrors, serverMessage } from "../../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../../shared/form-result";
import { formatMoney } from "../../../../shared/rules";
import { createRefund, type RefundRequest } from "./api";

/** `reason`: the server's message. */
export type SaveRefundResult = FormResult & { reason?: string };

/** Makes the refund that the form carries as JSON. */
export async function saveRefund(orderId: string, form: FormData): Promise<SaveRefundResult> {
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
