import { serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../shared/form-result";
import { addOrderNote } from "./api";

const FAILED = "Failed to add the note";

/** Adds an internal note to an order. */
export async function saveNote(orderId: string, form: FormData): Promise<FormResult> {
  try {
    await addOrderNote(orderId, { note: fieldValue(form, "note") });
    return succeeded("Note added.");
  } catch (error) {
    return failed(serverMessage(error, FAILED), serverFieldErrors(error));
  }
}
