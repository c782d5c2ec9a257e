/** Where a service's tokens come from, once its script is there. */
export interface TokenSource {
  /** Asks for a new token; the old one was used or grows old. */
  renew: () => void;
  stop: () => void;
}

export interface TokenRequest {
  /** The empty element that the service may draw into. */
  host: HTMLElement;
  siteKey: string;
  action: "signup" | "login";
  /** A new token; undefined when the last one is no longer good. */
  onToken: (token: string | undefined) => void;
  /** The service gives none. It may still do so later. */
  onFailure: () => void;
}

export type BeginTokens = (request: TokenRequest) => Promise<TokenSource>;
