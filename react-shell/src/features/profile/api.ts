import type { Answer, Body } from "../../shared/api-types";
import { requestSignedIn } from "../../shared/signed-in";

export const findUser = () => requestSignedIn<Answer<"/api/auth/user">>("GET", "/api/auth/user");
export const changePassword = (body: Body<"/api/change-password">) =>
  requestSignedIn<Answer<"/api/change-password", "post">>("POST", "/api/change-password", { body });
export const listSessions = () => requestSignedIn<Answer<"/api/auth/sessions">>("GET", "/api/auth/sessions");
export const endSession = (id: string) =>
  requestSignedIn<undefined>("DELETE", `/api/auth/sessions/${encodeURIComponent(id)}`);
