import { loadScript } from "../../shared/load-script";
import type { TokenRequest, TokenSource } from "./token-source";

/** What the script puts on the page, as far as it is used. */
interface Recaptcha {
  ready: (then: () => void) => void;
  execute: (siteKey: string, options: { action: string }) => PromiseLike<string>;
}

declare global {
  var grecaptcha: Recaptcha | undefined;
}

/** The script loads its second half by itself and says nothing when that is blocked on the way. */
const PATIENCE_MS = 10_000;

/** reCAPTCHA v3: nobody has to do anything, a token is made for each action. */
export async function beginRecaptcha({ siteKey, action, onToken, onFailure }: TokenRequest): Promise<TokenSource> {
  await loadScript(`https://www.google.com/recaptcha/api.js?${new URLSearchParams({ render: siteKey })}`);
  const service = globalThis.grecaptcha;
  if (!service) throw new Error("reCAPTCHA is not there.");
  await soon(new Promise<void>((resolve) => service.ready(resolve)));
  let isStopped = false;
  const renew = async () => {
    try {
      const token = await soon(service.execute(siteKey, { action }));
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

async function soon<T>(answer: PromiseLike<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("reCAPTCHA does not answer.")), PATIENCE_MS);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
