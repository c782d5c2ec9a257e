import { ApiError, serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { toAddress, withoutPrefix } from "../../../shared/address-form";
import { succeeded, failed, fieldValue, type FormResult } from "../../../shared/form-result";
import { orderStatuses } from "../../../shared/rules";
import {
  readEdit,
  savedMessage,
  saveMerged,
  type Conflict,
  type OtherVersion,
  type Values,
} from "../shared/merge-edit";
import { updateOrder, type OrderEdit } from "./api";
import { ORDER_FIELDS, orderValues } from "./order-values";

const SAVE_FAILED = "Failed to save changes";
const UNREACHABLE = "The shop couldn’t be reached. Please try again.";

/** `conflict`: the fields that someone else changed as well, with the edit's new status. `reason`: why it failed. */
export type SaveOrderResult = FormResult & { reason?: string; conflict?: Conflict; status?: string };

/** Saves the fields that the form contains: the whole order or only its status. */
export async function saveOrder(id: string, form: FormData): Promise<SaveOrderResult> {
  const edit = readEdit(form, ORDER_FIELDS);
  const status = edit.mine["status"] ?? "";
  if (!orderStatuses().some((known) => known === status)) return failed(SAVE_FAILED, { status: "Choose a status." });
  const save = (values: Values, version: number) => updateOrder(id, { ...orderEdit(form, values), version });
  try {
    const result = await saveMerged(edit, { fields: ORDER_FIELDS, save, otherVersion });
    if ("differences" in result) return { ...failed(SAVE_FAILED), conflict: result, status };
    return succeeded(savedMessage("Changes saved.", result));
  } catch (error) {
    const result = failed(SAVE_FAILED, withoutPrefix(serverFieldErrors(error), "address."));
    return { ...result, reason: serverMessage(error, UNREACHABLE) };
  }
}

/** Whether the server rejected the tracking number, which the form's own rules allow. */
export function isTrackingDoubted(result: SaveOrderResult | undefined): boolean {
  return result?.kind === "failed" && "tracking_number" in result.fields;
}

function orderEdit(form: FormData, values: Values): OrderEdit {
  const status = orderStatuses().find((known) => known === values["status"]);
  return {
    ...(status && { status }),
    ...(form.has("address.line1") && { address: toAddress(values) }),
    ...(form.has("tracking_number") && {
      tracking_number: (values["tracking_number"] ?? "").trim(),
      check_tracking_number: !form.has("accept_tracking_number"),
    }),
    restock: form.has("restock"),
    ...(form.has("notify_customer") && { notify_customer: fieldValue(form, "notify_customer") === "true" }),
  };
}

function otherVersion(error: unknown): OtherVersion | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "items" in current ? { version: current.version, theirs: orderValues(current) } : undefined;
}
