import { request } from "./api-client";
import { forgetDrafts } from "./draft";
import { session } from "./session";

/** Ends the session here at once and tells the server, whose answer nobody needs to wait for. */
export function logOut(): void {
  const refreshToken = session.refreshToken();
  session.leave();
  forgetDrafts();
  if (refreshToken === undefined) return;
  request("POST", "/api/auth/logout", { body: { refreshToken }, keepalive: true }).catch(() => undefined);
}
