import { serverMessage } from "../../../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../../../shared/form-result";
import { shipAnyway, type HoldReason } from "../api";

/** Releases an order from the hold that was shown. */
export async function saveShipAnyway(orderId: string, form: FormData): Promise<FormResult> {
  try {
    await shipAnyway(orderId, { hold: fieldValue(form, "hold") as HoldReason });
    return succeeded("Released from hold.");
  } catch (error) {
    return failed(serverMessage(error, "Failed to save changes"));
  }
}
