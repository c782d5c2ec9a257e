import type { OrderPage } from "../../shared/rules";
import { requestSignedIn } from "../../shared/signed-in";

interface UserInfo {
  data: { Username: string; UserAttributes: { Name: string; Value: string }[] };
}

interface PasswordChange {
  previousPassword: string;
  proposedPassword: string;
}

export const findUser = () => requestSignedIn<UserInfo>("GET", "/api/auth/user");
export const changePassword = (body: PasswordChange) =>
  requestSignedIn<{ message?: string }>("POST", "/api/change-password", { body });
export const listOrders = (query: URLSearchParams) => requestSignedIn<OrderPage>("GET", `/api/user/orders?${query}`);
