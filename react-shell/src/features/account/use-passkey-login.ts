import { useEffect, useState } from "react";
import { serverMessage } from "../../shared/api-client";
import { failed, succeeded, type FormResult } from "../../shared/form-result";
import { endPasskeyOffer, offersPasskeys } from "../../shared/passkey-offer";
import { takeReturnPath } from "../../shared/return-path";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { PASSKEY_REQUEST_MS } from "../../shared/timings";
import { logInWithPasskey, startPasskeyLogin } from "./api";
import { startSession } from "./start-session";

export type PasskeyResult = FormResult & { to?: string };

type Mediation = "conditional" | "optional";

/**
 * Login with a passkey: as a suggestion of the email field, from the first render on, and with a button. One request of
 * the browser runs at a time.
 */
export function usePasskeyLogin() {
  const isOffered = offersPasskeys(useRootData().config);
  const [result, setResult] = useState<PasskeyResult>();
  const [isBusy, setBusy] = useState(false);
  const [requests] = useState(() => new Requests());

  useEffect(() => {
    if (!isOffered) return;
    void suggest(requests.next(), setResult);
    return () => requests.abort();
  }, [isOffered, requests]);

  async function logIn() {
    if (isBusy) return;
    setBusy(true);
    setResult(undefined);
    const signal = requests.next();
    const outcome = await request("optional", signal).catch((error: unknown) =>
      failed(serverMessage(error, "An error occurred.")),
    );
    // The customer has left the page.
    if (signal.aborted) return;
    setBusy(false);
    if (outcome !== "canceled") setResult(outcome);
    const hasSucceeded = outcome !== "canceled" && outcome.kind === "succeeded";
    if (!hasSucceeded) void suggest(requests.next(), setResult);
  }

  return { isOffered, isBusy, result, logIn, clearResult: () => setResult(undefined) };
}

/** The running request of the browser. The next one aborts it. */
class Requests {
  #running = new AbortController();

  next(): AbortSignal {
    this.abort();
    this.#running = new AbortController();
    return this.#running.signal;
  }

  abort(): void {
    this.#running.abort();
  }
}

/**
 * Suggests passkeys in the email field until one logs in. The shop's challenge expires, so it is renewed. The customer has
 * not asked for suggestions, so a request that can't begin shows no error.
 */
async function suggest(signal: AbortSignal, onResult: (result: PasskeyResult) => void): Promise<void> {
  if ((await PublicKeyCredential.isConditionalMediationAvailable?.()) !== true) return;
  while (!signal.aborted) {
    const lifetime = lifetimeWithin(signal);
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    const result = await request("conditional", lifetime).catch(() => undefined);
    if (signal.aborted || result === undefined || (result === "canceled" && !lifetime.aborted)) return;
    if (result === "canceled") continue;
    onResult(result);
    if (result.kind === "succeeded") return;
  }
}

/** Aborts before the shop's challenge expires, and with the other signal. Not every browser has `AbortSignal.any`. */
function lifetimeWithin(signal: AbortSignal): AbortSignal {
  const lifetime = new AbortController();
  const abort = () => lifetime.abort();
  signal.addEventListener("abort", abort);
  setTimeout(abort, PASSKEY_REQUEST_MS);
  return lifetime.signal;
}

/** One request of the browser, and its login. It throws if it can't begin. */
async function request(mediation: Mediation, signal: AbortSignal): Promise<PasskeyResult | "canceled"> {
  const [{ getPasskey, isCanceled }, begun] = await Promise.all([
    import("../../shared/passkey-ceremony"),
    startPasskeyLogin(signal),
  ]);
  let credential;
  try {
    credential = await getPasskey(begun.options, { mediation, signal });
  } catch (error) {
    if (isCanceled(error)) return "canceled";
    throw error;
  }
  try {
    startSession(await logInWithPasskey({ ceremony_token: begun.ceremony_token, credential }));
    endPasskeyOffer();
    return { ...succeeded("You’re logged in."), to: takeReturnPath() ?? paths.home };
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."));
  }
}
