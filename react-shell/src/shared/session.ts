import { readClaims } from "./access-token";
import { ApiError, request } from "./api-client";
import type { Schema } from "./api-types";
import { REFRESH_BEFORE_EXPIRY_MS } from "./timings";
import { localStore } from "./storage";

export type Tokens = Schema<"Tokens">;

export interface SignedIn {
  kind: "signed-in";
  userId: string;
  email: string;
  isAdmin: boolean;
}

/**
 * `wasEnded`: the session of this tab ended without a logout here (it expired, was revoked, or ended in another tab).
 */
export type SessionState = SignedIn | { kind: "anonymous"; wasEnded: boolean };

const ANONYMOUS: SessionState = { kind: "anonymous", wasEnded: false };
const ENDED: SessionState = { kind: "anonymous", wasEnded: true };
const ACCESS = "accessToken";
const REFRESH = "refreshToken";
const EXPIRES_AT = "accessTokenEndsAt";
const LOCK = "nudgelight-session";
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 15_000;
const STORAGE_PROPAGATION_MS = 250;

/**
 * The login session, shared by all tabs through local storage. One tab at a time refreshes the tokens, 60 s before the
 * access token expires; the others read the new tokens from storage.
 */
export class Session {
  #state: SessionState = ANONYMOUS;
  #accessToken: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #refreshing: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();

  /** Restores the session from storage. An expired token is refreshed before the first page renders. */
  async restore(): Promise<void> {
    this.#readStorage();
    window.addEventListener("storage", this.#onStorage);
    document.addEventListener("visibilitychange", this.#onVisible);
    if (!this.#isRefreshDue()) return;
    const refreshed = this.refresh();
    if (this.#hasExpired()) await refreshed;
  }

  stop(): void {
    window.removeEventListener("storage", this.#onStorage);
    document.removeEventListener("visibilitychange", this.#onVisible);
    clearTimeout(this.#timer);
  }

  readonly state = (): SessionState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  accessToken(): string | undefined {
    return this.#accessToken;
  }

  refreshToken(): string | undefined {
    return localStore.getItem(REFRESH) ?? undefined;
  }

  /** Starts a session with the tokens of a login. */
  logIn(tokens: Tokens): void {
    this.#store(tokens);
    this.#readStorage();
  }

  /** Ends the session by choice. Removing the tokens ends it in the other tabs, too. */
  logOut(): void {
    this.#setState(ANONYMOUS);
    this.#clearTokens();
  }

  /** Refreshes the tokens (single flight). Never throws: a rejected refresh ends the session. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshWithLock().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #clearTokens(): void {
    for (const key of [ACCESS, REFRESH, EXPIRES_AT]) localStore.removeItem(key);
    this.#readStorage();
  }

  /** Holds a lock across tabs until the new tokens have reached the storage of the other tabs. */
  async #refreshWithLock(): Promise<void> {
    const previous = this.#accessToken;
    if (!("locks" in navigator)) return this.#renewTokens(previous);
    await new Promise<void>((renewed) => {
      const locked = navigator.locks.request(LOCK, async () => {
        await this.#renewTokens(previous);
        renewed();
        await new Promise((resolve) => setTimeout(resolve, STORAGE_PROPAGATION_MS));
      });
      // A browser that blocks storage denies locks, too. No other tab shares these tokens then.
      locked.catch(() => void this.#renewTokens(previous).then(renewed));
    });
  }

  async #renewTokens(previous: string | undefined): Promise<void> {
    if (localStore.getItem(ACCESS) !== previous) return this.#readStorage();
    const refreshToken = this.refreshToken();
    if (refreshToken === undefined) return this.#clearTokens();
    try {
      this.#store(await request<Tokens>("POST", "/api/auth/refresh-token", { body: { refreshToken } }));
      this.#retryMs = FIRST_RETRY_MS;
      this.#readStorage();
    } catch (error) {
      this.#handleRefreshError(error, refreshToken);
    }
  }

  /**
   * Only a 4xx ends the session. Other failures are retried with exponential backoff until the access token expires.
   */
  #handleRefreshError(error: unknown, refreshToken: string): void {
    const isReplaced = this.refreshToken() !== refreshToken;
    if (isReplaced) return this.#readStorage();
    const isRejected = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (isRejected || this.#hasExpired()) return this.#clearTokens();
    const wait = Math.min(this.#retryMs, Math.max(0, this.#expiresAt() - Date.now()));
    this.#retryMs = Math.min(this.#retryMs * 2, MAX_RETRY_MS);
    this.#schedule(wait);
  }

  /** Stores the expiry by this device's clock: clock skew to the server may exceed the lifetime of a token. */
  #store(tokens: Tokens): void {
    const claims = readClaims(tokens.accessToken);
    const lifetimeMs = claims === undefined ? 0 : (claims.expiresAt - claims.issuedAt) * 1_000;
    localStore.setItem(REFRESH, tokens.refreshToken);
    localStore.setItem(EXPIRES_AT, `${tokens.accessToken.slice(-16)} ${Date.now() + lifetimeMs}`);
    localStore.setItem(ACCESS, tokens.accessToken);
  }

  #readStorage(): void {
    clearTimeout(this.#timer);
    const token = localStore.getItem(ACCESS) ?? undefined;
    const claims = token === undefined ? undefined : readClaims(token);
    this.#accessToken = claims === undefined ? undefined : token;
    this.#setState(
      claims === undefined
        ? this.#anonymous()
        : {
            kind: "signed-in",
            userId: claims.userId,
            email: claims.email,
            isAdmin: claims.groups.includes("Admin"),
          },
    );
    if (claims !== undefined) this.#schedule(this.#expiresAt() - REFRESH_BEFORE_EXPIRY_MS - Date.now());
  }

  #anonymous(): SessionState {
    return this.#state.kind === "signed-in" ? ENDED : this.#state;
  }

  #setState(next: SessionState): void {
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }

  #schedule(waitMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.refresh(), Math.max(0, waitMs));
  }

  #expiresAt(): number {
    const [tail, expiresAt] = (localStore.getItem(EXPIRES_AT) ?? "").split(" ");
    if (tail !== undefined && tail !== "" && this.#accessToken?.endsWith(tail)) return Number(expiresAt);
    return this.#accessToken === undefined ? 0 : (readClaims(this.#accessToken)?.expiresAt ?? 0) * 1_000;
  }

  #hasExpired(): boolean {
    return Date.now() >= this.#expiresAt();
  }

  #isRefreshDue(): boolean {
    return this.#accessToken !== undefined && Date.now() >= this.#expiresAt() - REFRESH_BEFORE_EXPIRY_MS;
  }

  /** Another tab logged in, refreshed or logged out. A null key means that storage was cleared. */
  readonly #onStorage = (event: StorageEvent): void => {
    if (event.key === ACCESS || event.key === null) this.#readStorage();
  };

  /** Refreshes after a sleep, during which timers do not run. */
  readonly #onVisible = (): void => {
    if (document.visibilityState === "visible" && this.#isRefreshDue()) void this.refresh();
  };
}

export const session = new Session();
