import { serverFieldErrors, serverMessage } from "../../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../../shared/form-result";
import { formatMoney } from "../../../../shared/rules";
import { settleRefund, type Settlement } from "./api";

/** Refunds a failed refund again, or records that it was paid another way. */
export async function saveSettlement(form: FormData): Promise<FormResult> {
  const isOutside = fieldValue(form, "method") === "outside";
  try {
    const { parts } = await settleRefund(fieldValue(form, "refund"), isOutside ? outside(form) : { method: "refund" });
    const amount = formatMoney(parts.amount);
    return succeeded(isOutside ? `Recorded ${amount} as paid another way.` : `Refunded ${amount} again.`);
  } catch (error) {
    const message = isOutside ? "Failed to record the payment" : "Failed to refund";
    return failed(serverMessage(error, message), serverFieldErrors(error));
  }
}

function outside(form: FormData): Settlement {
  return { method: "outside", paid_on: fieldValue(form, "paid_on"), note: fieldValue(form, "note") };
}
