import { localStore } from "../../shared/storage";

const KEY = "loginToken";

/**
 * The token of this browser's last request for a code. With it an emailed code logs in here; somebody who reads the code
 * elsewhere gets no session.
 */
export function loginToken(): string | undefined {
  return localStore.getItem(KEY) ?? undefined;
}

/** Adds the token to a request. */
export function withLoginToken<T extends object>(body: T): T & { login_token?: string } {
  const token = loginToken();
  return token === undefined ? body : { ...body, login_token: token };
}

/** During an upgrade, a process of the previous version responds without a token. */
export function saveLoginToken(token: string | undefined): void {
  if (token !== undefined) localStore.setItem(KEY, token);
}

export function clearLoginToken(): void {
  localStore.removeItem(KEY);
}
