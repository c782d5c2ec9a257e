import { solveBotCheck } from "./bot-check.js";
import { networkError, responseError, ShopError } from "./error.js";
import { createMethods } from "./methods.js";
import type { Methods } from "./methods.js";
import type { components } from "./openapi.js";
import { abortable, fetchWithRetries, retryAfter } from "./retry.js";
import type { Fetch } from "./retry.js";
import { memoryStorage, Session } from "./session.js";
import type { TokenStorage } from "./session.js";

export interface ShopOptions {
  /** The shop's address, such as `https://shop.example`. */
  baseUrl: string;
  /** Where the tokens of a login are kept. Default: in memory. */
  tokens?: TokenStorage;
  /** Repetitions of an idempotent request after a 429 or 503, each after the wait in `Retry-After`. Default: 2. */
  retries?: number;
  /** Sends a request. Default: the platform's `fetch`. */
  fetch?: Fetch;
}

export interface RequestOptions {
  /** Aborts the request. `AbortSignal.timeout(5_000)` is a timeout. */
  signal?: AbortSignal | null | undefined;
}

/**
 * Credentials of an account. Without `recaptchaToken` the client solves the shop's proof of work; a shop with reCAPTCHA
 * or Turnstile needs the token of its widget.
 */
export type LoginOptions = components["schemas"]["LogInRequest"] & RequestOptions;

/** A shop. Requests carry the access token of its login session, which is refreshed before it expires. */
export interface Shop extends Methods {
  /**
   * Starts a session. Resolves to the device token, which keeps the failed attempts of strangers from locking this
   * device out: store it and send it with the next login. Rejects with a `ShopError`, such as `BadCredentials`.
   */
  login(options: LoginOptions): Promise<{ device_token: string }>;
  /** Ends the session, on this device even if the shop can't be reached. */
  logout(options?: RequestOptions): Promise<void>;
}

/**
 * Connects to a shop. Sends nothing.
 *
 * @throws {TypeError} An option is invalid; the message names it.
 * @example
 * const shop = createShop({ baseUrl: "https://shop.example" });
 * await shop.login({ username: "name@example.com", password: "a long password" });
 * const { orders } = await shop.get("/api/user/orders");
 */
export function createShop(options: ShopOptions): Shop {
  const { fetch = (request) => globalThis.fetch(request), retries = 2, tokens = memoryStorage() } = options;
  const baseUrl = parseBaseUrl(options.baseUrl);
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError(`retries: expected a count, got ${retries}`);
  const send: Send = (request, token) => sendOnce({ fetch, retries, request, token });
  const anonymous = createMethods(baseUrl, send);
  const session = new Session(tokens, (refreshToken) =>
    anonymous.post("/api/auth/refresh-token", { body: { refreshToken } }),
  );
  return {
    ...createMethods(baseUrl, (request) => sendWithToken(session, request, send)),
    async login({ signal = null, ...credentials }) {
      const recaptchaToken = credentials.recaptchaToken ?? (await solveBotCheck(anonymous, signal)) ?? null;
      const body = { ...credentials, recaptchaToken };
      const { device_token, ...pair } = await anonymous.post("/api/auth/login", { body, signal });
      await session.start(pair);
      return { device_token };
    },
    async logout({ signal = null } = {}) {
      const refreshToken = await session.end();
      if (refreshToken) await anonymous.post("/api/auth/logout", { body: { refreshToken }, signal });
    },
  };
}

function parseBaseUrl(baseUrl: string): string {
  if (!/^https?:$/.test(URL.canParse(baseUrl) ? new URL(baseUrl).protocol : "")) {
    throw new TypeError(`baseUrl: expected an address like https://shop.example, got ${JSON.stringify(baseUrl)}`);
  }
  return baseUrl;
}

type Send = (request: Request, token?: string) => Promise<Response>;

/** Sends a request with the session's access token, and once more if the shop rejects the token. */
async function sendWithToken(session: Session, request: Request, send: Send): Promise<Response> {
  const token = await abortable(session.accessToken(), request.signal);
  try {
    return await send(request, token);
  } catch (error) {
    if (token === undefined || !isTokenRejected(error)) throw error;
    const renewed = await abortable(session.accessToken(token), request.signal);
    if (renewed === undefined || renewed === token) throw error;
    return send(request, renewed);
  }
}

function isTokenRejected(error: unknown): boolean {
  return error instanceof ShopError && (error.is("TokenExpired") || error.is("Unauthenticated"));
}

interface Sending {
  fetch: Fetch;
  retries: number;
  request: Request;
  token: string | undefined;
}

/** Sends a request. An error response and a failed connection reject with a `ShopError`. */
async function sendOnce({ fetch, retries, request, token }: Sending): Promise<Response> {
  const authorized = request.clone();
  if (token !== undefined) authorized.headers.set("Authorization", `Bearer ${token}`);
  const response = await fetchWithRetries(fetch, authorized, retries).catch((error: unknown) => {
    throw request.signal.aborted ? error : networkError(error);
  });
  if (!response.ok) throw await responseError(response, retryAfter(response));
  return response;
}
