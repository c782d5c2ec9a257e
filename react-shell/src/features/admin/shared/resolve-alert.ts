import { serverMessage } from "../../../shared/api-client";
import { failed, succeeded, type FormResult } from "../../../shared/form-result";
import * as api from "./api";

/** Resolves an alert of the shop. */
export async function resolveAlert(id: string): Promise<FormResult> {
  try {
    await api.resolveAlert(id);
    return succeeded("Alert resolved");
  } catch (error) {
    return failed(serverMessage(error, "Failed to save changes"));
  }
}
