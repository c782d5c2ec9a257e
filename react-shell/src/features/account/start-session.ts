import type { Schema } from "../../shared/api-types";
import { session } from "../../shared/session";
import { saveDeviceToken } from "./device-token";
import { clearLoginToken } from "./login-token";
import { clearPendingEmail } from "./pending-email";

/** Starts the session of a login of any kind, and clears the login token and the pending email. */
export function startSession({ device_token: deviceToken, ...tokens }: Schema<"LoggedIn">): void {
  saveDeviceToken(deviceToken);
  session.logIn(tokens);
  clearLoginToken();
  clearPendingEmail();
}
