import { useEffect, useRef, useState } from "react";
import { serverMessage } from "../../shared/api-client";
import { failed, succeeded, type FormResult } from "../../shared/form-result";
import { offersPasskeys } from "../../shared/passkey-offer";
import { takeReturnPath } from "../../shared/return-path";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { PASSKEY_REQUEST_MS } from "../../shared/timings";
import { logInWithPasskey, startPasskeyLogin } from "./api";
import { startSession } from "./start-session";

export type PasskeyResult = FormResult & { to?: string };

type Mediation = "conditional" | "optional";

/**
 * Login with a passkey: as a suggestion of the email field, from the first render on, and with a button. One request of the
 * browser runs at a time.
 */
export function usePasskeyLogin() {
  const isOffered = offersPasskeys(useRootData().config);
  const [result, setResult] = useState<PasskeyResult>();
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController>(null);

  useEffect(() => {
    if (!isOffered) return;
    const controller = replace(running);
    void suggest(controller.signal, setResult);
    return () => running.current?.abort();
  }, [isOffered]);

  async function logIn() {
    if (isBusy) return;
    setBusy(true);
    setResult(undefined);
    const outcome = await request("optional", replace(running).signal);
    setBusy(false);
    if (outcome === "not begun") setResult(failed("An error occurred."));
    else if (outcome !== "canceled") setResult(outcome);
    const hasSucceeded = typeof outcome === "object" && outcome.kind === "succeeded";
    if (!hasSucceeded) void suggest(replace(running).signal, setResult);
  }

  return { isOffered, isBusy, result, logIn };
}

/** Aborts the running request in favor of a new one. */
function replace(running: { current: AbortController | null }): AbortController {
  running.current?.abort();
  const controller = new AbortController();
  running.current = controller;
  return controller;
}

/**
 * Suggests passkeys in the email field until one logs in. The shop's challenge expires, so it is renewed. Nobody has asked for
 * the suggestions, so a request that can't begin is no error on the page.
 */
async function suggest(signal: AbortSignal, onResult: (result: PasskeyResult) => void): Promise<void> {
  if ((await PublicKeyCredential.isConditionalMediationAvailable?.()) !== true) return;
  while (!signal.aborted) {
    const lifetime = AbortSignal.timeout(PASSKEY_REQUEST_MS);
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    const result = await request("conditional", AbortSignal.any([signal, lifetime]));
    if (signal.aborted || result === "not begun" || (result === "canceled" && !lifetime.aborted)) return;
    if (result === "canceled") continue;
    onResult(result);
    if (result.kind === "succeeded") return;
  }
}

/** One request of the browser, and its login. */
async function request(
  mediation: Mediation,
  signal: AbortSignal,
): Promise<PasskeyResult | "not begun" | "canceled"> {
  const [{ getPasskey }, begun] = await Promise.all([
    import("../../shared/passkey-ceremony"),
    startPasskeyLogin(signal).catch(() => undefined),
  ]);
  if (begun === undefined) return "not begun";
  const credential = await getPasskey(begun.options, { mediation, signal }).catch(() => undefined);
  if (credential === undefined) return "canceled";
  try {
    startSession(await logInWithPasskey({ ceremony_token: begun.ceremony_token, credential }));
    return { ...succeeded("You’re logged in."), to: takeReturnPath() ?? paths.home };
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."));
  }
}
