import { serverFieldErrors, serverMessage } from "../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../shared/form-result";
import { resendOrderEmail } from "./api";

/** Sends an order or shipping confirmation to its customer again. */
export async function resendEmail(form: FormData): Promise<FormResult> {
  const kind = fieldValue(form, "kind") === "shipment" ? "shipment" : "receipt";
  try {
    await resendOrderEmail(fieldValue(form, "order"), kind);
    return succeeded("Sent again");
  } catch (error) {
    return failed(serverFieldErrors(error)["kind"] ?? serverMessage(error, "Failed to send the email"));
  }
}
