import { ApiError, serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { toAddress, typedAddress, withoutPrefix } from "../../../shared/address-form";
import { succeeded, failed, fieldValue, type FormResult } from "../../../shared/form-result";
import { orderStatuses } from "../../../shared/rules";
import { updateOrder, type AdminOrder, type OrderEdit } from "./api";

/**
 * An edit conflict has `current`, the version saved meanwhile, and `mine`, the edit. `reason`: the server's message.
 */
export type SaveOrderResult = FormResult & { reason?: string; current?: AdminOrder; mine?: OrderEdit };

/** Saves the fields that the form contains: the whole order or only its status. */
export async function saveOrder(id: string, form: FormData): Promise<SaveOrderResult> {
  const status = orderStatuses().find((known) => known === fieldValue(form, "status"));
  if (status === undefined) return failed("Failed to save changes", { status: "Choose a status." });
  const mine: OrderEdit = {
    status,
    ...(form.has("address.line1") && { address: toAddress(typedAddress(form)) }),
    ...(form.has("tracking_number") && { tracking_number: fieldValue(form, "tracking_number").trim() }),
    restock: form.has("restock"),
    ...(form.has("notify_customer") && { notify_customer: fieldValue(form, "notify_customer") === "true" }),
    ...(form.has("version") && { version: Number(fieldValue(form, "version")) }),
  };
  try {
    await updateOrder(id, mine);
    return succeeded("Changes saved.");
  } catch (error) {
    const result = failed("Failed to save changes", withoutPrefix(serverFieldErrors(error), "address."));
    const current = conflictingOrder(error);
    return { ...result, reason: serverMessage(error, ""), ...(current && { current, mine }) };
  }
}

function conflictingOrder(error: unknown): AdminOrder | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "items" in current ? current : undefined;
}
