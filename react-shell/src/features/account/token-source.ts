/** A running captcha service that issues tokens. */
export interface TokenSource {
  /** Requests a new token, because the previous one was used or is about to expire. */
  renew: () => void;
  stop: () => void;
}

export interface TokenRequest {
  /** The empty element for the widget of the service. */
  host: HTMLElement;
  siteKey: string;
  action: "signup" | "login";
  /** Called with a new token; undefined if the previous one is no longer valid. */
  onToken: (token: string | undefined) => void;
  /** Called if the service issues no token. It may still do so later. */
  onFailure: () => void;
}
