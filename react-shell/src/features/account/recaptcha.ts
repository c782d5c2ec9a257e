import { loadScript } from "../../shared/load-script";
import type { TokenRequest, TokenSource } from "./token-source";

/** The global of the reCAPTCHA script, as far as the shell uses it. */
interface Recaptcha {
  ready: (then: () => void) => void;
  execute: (siteKey: string, options: { action: string }) => PromiseLike<string>;
}

declare global {
  var grecaptcha: Recaptcha | undefined;
}

/** The script loads a second script and reports no error if that is blocked. */
const TIMEOUT_MS = 10_000;

/** Starts reCAPTCHA v3, which needs no interaction and issues a token per action. */
export async function startRecaptcha({ siteKey, action, onToken, onFailure }: TokenRequest): Promise<TokenSource> {
  await loadScript(`https://www.google.com/recaptcha/api.js?${new URLSearchParams({ render: siteKey })}`);
  const service = globalThis.grecaptcha;
  if (!service) throw new Error("reCAPTCHA is not available.");
  await withTimeout(new Promise<void>((resolve) => service.ready(resolve)));
  let isStopped = false;
  const renew = async () => {
    try {
      const token = await withTimeout(service.execute(siteKey, { action }));
      if (!isStopped) onToken(token);
    } catch {
      if (!isStopped) onFailure();
    }
  };
  await renew();
  return {
    renew: () => void renew(),
    stop: () => {
      isStopped = true;
    },
  };
}

async function withTimeout<T>(promise: PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("reCAPTCHA timed out.")), TIMEOUT_MS);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
