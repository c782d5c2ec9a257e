import { readClaims } from "./access-token";
import { ApiError, request } from "./api-client";
import type { Schema } from "./api-types";
import { REFRESH_BEFORE_EXPIRY_MS } from "./delays";
import { localStore } from "./storage";

export type Tokens = Schema<"Tokens">;

export interface SignedIn {
  kind: "signed-in";
  userId: string;
  email: string;
  isAdmin: boolean;
}

/** `wasEnded`: there was a session in this tab and nobody pressed Logout here. */
export type SessionState = SignedIn | { kind: "anonymous"; wasEnded: boolean };

const ANONYMOUS: SessionState = { kind: "anonymous", wasEnded: false };
const ENDED: SessionState = { kind: "anonymous", wasEnded: true };
const ACCESS = "accessToken";
const REFRESH = "refreshToken";
const ENDS = "accessTokenEndsAt";
const LOCK = "nudgelight-session";
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;
const STORAGE_TRAVELS_MS = 250;

/**
 * Who is logged in, in every tab alike. The tokens lie in browser storage. They are renewed 60 s before the access
 * token ends, by one tab only; a tab that comes later finds the new ones in storage and takes them.
 */
export class Session {
  #state: SessionState = ANONYMOUS;
  #accessToken: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #refreshing: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();

  /** Takes up what an earlier visit left in storage. A token that has ended is renewed before anything is shown. */
  async start(): Promise<void> {
    this.#readStorage();
    window.addEventListener("storage", this.#onStorage);
    document.addEventListener("visibilitychange", this.#onVisible);
    if (!this.#isDue()) return;
    const renewed = this.refresh();
    if (this.#hasEnded()) await renewed;
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

  /** Begins with the tokens a log-in gave. */
  begin(tokens: Tokens): void {
    this.#store(tokens);
    this.#readStorage();
  }

  /** Leaves by choice. The tokens are gone, so the other tabs end too. */
  leave(): void {
    this.#setState(ANONYMOUS);
    this.#end();
  }

  /** Renews the tokens; calls that come meanwhile share the one under way. Never throws: it ends the session instead. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refreshAlone().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #end(): void {
    for (const key of [ACCESS, REFRESH, ENDS]) localStore.removeItem(key);
    this.#readStorage();
  }

  /** What one tab stores reaches the others a moment after the lock would, so the lock is held for that moment too. */
  async #refreshAlone(): Promise<void> {
    const held = this.#accessToken;
    if (!("locks" in navigator)) return this.#renew(held);
    await new Promise<void>((renewed) => {
      const locked = navigator.locks.request(LOCK, async () => {
        await this.#renew(held);
        renewed();
        await new Promise((resolve) => setTimeout(resolve, STORAGE_TRAVELS_MS));
      });
      // A browser that blocks storage denies locks too. No other tab shares these tokens then.
      locked.catch(() => void this.#renew(held).then(renewed));
    });
  }

  async #renew(held: string | undefined): Promise<void> {
    if (localStore.getItem(ACCESS) !== held) return this.#readStorage();
    const refreshToken = this.refreshToken();
    if (refreshToken === undefined) return this.#end();
    try {
      this.#store(await request<Tokens>("POST", "/api/auth/refresh-token", { body: { refreshToken } }));
      this.#retryMs = FIRST_RETRY_MS;
      this.#readStorage();
    } catch (error) {
      this.#afterFailure(error, refreshToken);
    }
  }

  /** Only a 4xx says no. No answer, or a server in trouble, is asked again for as long as the access token is good. */
  #afterFailure(error: unknown, refreshToken: string): void {
    const replaced = this.refreshToken() !== refreshToken;
    if (replaced) return this.#readStorage();
    const refused = error instanceof ApiError && error.status >= 400 && error.status < 500;
    if (refused || this.#hasEnded()) return this.#end();
    const wait = Math.min(this.#retryMs, Math.max(0, this.#endsAt() - Date.now()));
    this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
    this.#schedule(wait);
  }

  /** The end is kept by this device's clock, because the two clocks may differ by more than a token lives. */
  #store(tokens: Tokens): void {
    const claims = readClaims(tokens.accessToken);
    const lifeMs = claims === undefined ? 0 : (claims.expiresAt - claims.issuedAt) * 1_000;
    localStore.setItem(REFRESH, tokens.refreshToken);
    localStore.setItem(ENDS, `${tokens.accessToken.slice(-16)} ${Date.now() + lifeMs}`);
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
    if (claims !== undefined) this.#schedule(this.#endsAt() - REFRESH_BEFORE_EXPIRY_MS - Date.now());
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

  #endsAt(): number {
    const [tail, end] = (localStore.getItem(ENDS) ?? "").split(" ");
    if (tail !== undefined && tail !== "" && this.#accessToken?.endsWith(tail)) return Number(end);
    return this.#accessToken === undefined ? 0 : (readClaims(this.#accessToken)?.expiresAt ?? 0) * 1_000;
  }

  #hasEnded(): boolean {
    return Date.now() >= this.#endsAt();
  }

  #isDue(): boolean {
    return this.#accessToken !== undefined && Date.now() >= this.#endsAt() - REFRESH_BEFORE_EXPIRY_MS;
  }

  /** Another tab logged in, renewed or logged out; a key of null means that storage was cleared. */
  readonly #onStorage = (event: StorageEvent): void => {
    if (event.key === ACCESS || event.key === null) this.#readStorage();
  };

  /** Timers stand still while a laptop sleeps. */
  readonly #onVisible = (): void => {
    if (document.visibilityState === "visible" && this.#isDue()) void this.refresh();
  };
}

export const session = new Session();
