import { loadScript } from "../../shared/load-script";
import type { TokenRequest, TokenSource } from "./token-source";

/** The global of the Turnstile script, as far as the shell uses it. */
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
  /** Returns true if the caller handles the error. */
  "error-callback": () => boolean;
  "response-field": boolean;
}

declare global {
  var turnstile: Turnstile | undefined;
}

/** Starts Turnstile, whose widget asks for interaction if needed. */
export async function startTurnstile(request: TokenRequest): Promise<TokenSource> {
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
  if (!turnstile || widget === undefined) throw new Error("Turnstile is not available.");
  return {
    renew: () => {
      request.onToken(undefined);
      turnstile.reset(widget);
    },
    stop: () => turnstile.remove(widget),
  };
}
