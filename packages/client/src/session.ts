import { ShopError } from "./error.js";
import type { components } from "./openapi.js";

/** The tokens of a login session. Store them as a whole. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** When the access token expires, in milliseconds by this device's clock. */
  expires_at: number;
}

/** Where the tokens are. Anyone who can read them can use the account. */
export interface TokenStorage {
  /** The stored tokens; nothing without a session. */
  load(): Tokens | undefined | null | Promise<Tokens | undefined | null>;
  /** Replaces the stored tokens; `undefined` removes them. */
  save(tokens: Tokens | undefined): void | Promise<void>;
}

type TokenPair = components["schemas"]["Tokens"];

const REFRESH_BEFORE_EXPIRY_MS = 60_000;

/** A login session: its tokens, refreshed a minute before they expire, one refresh at a time. */
export class Session {
  readonly #storage: TokenStorage;
  readonly #requestTokens: (refreshToken: string) => Promise<TokenPair>;
  #refreshing: Promise<string | undefined> | undefined;

  constructor(storage: TokenStorage, requestTokens: (refreshToken: string) => Promise<TokenPair>) {
    this.#storage = storage;
    this.#requestTokens = requestTokens;
  }

  async start(tokens: TokenPair): Promise<void> {
    await this.#storage.save(withExpiry(tokens));
  }

  /** Ends the session on this device and returns its refresh token. */
  async end(): Promise<string | undefined> {
    const tokens = await this.#storage.load();
    await this.#storage.save(undefined);
    return tokens?.refreshToken;
  }

  /** The access token, refreshed if it expires soon or if the shop rejected it; undefined without a session. */
  async accessToken(rejected?: string): Promise<string | undefined> {
    const tokens = await this.#storage.load();
    if (!tokens) return undefined;
    if (isFresh(tokens, rejected)) return tokens.accessToken;
    this.#refreshing ??= this.#refresh(rejected).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refresh(rejected: string | undefined): Promise<string | undefined> {
    const tokens = await this.#storage.load();
    if (!tokens || isFresh(tokens, rejected)) return tokens?.accessToken;
    try {
      return await this.#replace(tokens, withExpiry(await this.#requestTokens(tokens.refreshToken)));
    } catch (error) {
      if (error instanceof ShopError && error.is("RefreshTokenInvalid")) return this.#replace(tokens, undefined);
      if (tokens.accessToken !== rejected && Date.now() < tokens.expires_at) return tokens.accessToken;
      throw error;
    }
  }

  /** Leaves the tokens alone if a login, a logout or another process has replaced them in the meantime. */
  async #replace(used: Tokens, next: Tokens | undefined): Promise<string | undefined> {
    const current = await this.#storage.load();
    if (current?.refreshToken !== used.refreshToken) return current?.accessToken;
    await this.#storage.save(next);
    return next?.accessToken;
  }
}

/** Keeps the tokens in memory: a reload of the page or a restart of the program ends the session. */
export function memoryStorage(): TokenStorage {
  let stored: Tokens | undefined;
  return {
    load: () => stored,
    save: (tokens) => {
      stored = tokens;
    },
  };
}

function isFresh(tokens: Tokens, rejected: string | undefined): boolean {
  return tokens.accessToken !== rejected && Date.now() < tokens.expires_at - REFRESH_BEFORE_EXPIRY_MS;
}

/** The expiry by this device's clock, because clock skew may exceed the lifetime of a token. */
function withExpiry({ accessToken, refreshToken }: TokenPair): Tokens {
  const payload = accessToken.split(".")[1] ?? "";
  const { exp, iat } = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
  return { accessToken, refreshToken, expires_at: Date.now() + (exp - iat) * 1_000 };
}
