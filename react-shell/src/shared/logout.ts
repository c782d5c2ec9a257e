import { request } from "./api-client";
import { clearDrafts } from "./draft";
import { session } from "./session";

/** Logs out locally at once, and revokes the session on the server in the background. */
export function logOut(): void {
  const refreshToken = session.refreshToken();
  session.logOut();
  clearDrafts();
  if (refreshToken === undefined) return;
  request("POST", "/api/auth/logout", { body: { refreshToken }, keepalive: true }).catch(() => undefined);
}
