import { loadScript } from "../../shared/load-script";
import type { TokenRequest, TokenSource } from "./token-source";

/** What the script puts on the page, as far as it is used. */
interface Turnstile {
  render: (host: HTMLElement, options: TurnstileOptions) => string | undefined;
  reset: (widget: string) => void;
  remove: (widget: string) => void;
}

interface TurnstileOptions {
  sitekey: string;
  action: string;
  callback: (token: string) => void;
  "expired-callback": () => void;
  /** True: the fault is dealt with here. */
  "error-callback": () => boolean;
  "response-field": boolean;
}

declare global {
  var turnstile: Turnstile | undefined;
}

/** Turnstile's widget, which says by itself whether there is something to do. */
export async function beginTurnstile(request: TokenRequest): Promise<TokenSource> {
  await loadScript("https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit");
  const { turnstile } = globalThis;
  const widget = turnstile?.render(request.host, {
    sitekey: request.siteKey,
    action: request.action,
    callback: request.onToken,
    "expired-callback": () => request.onToken(undefined),
    "error-callback": () => {
      request.onFailure();
      return true;
    },
    "response-field": false,
  });
  if (!turnstile || widget === undefined) throw new Error("Turnstile is not there.");
  return {
    renew: () => {
      request.onToken(undefined);
      turnstile.reset(widget);
    },
    stop: () => turnstile.remove(widget),
  };
}
