import "altcha/altcha.css";
import "altcha/external";
import ShaWorker from "altcha/workers/sha?worker";
import { useEffect, useRef } from "react";

// The worker is a file of this shop: the content security policy allows no other.
globalThis.$altcha.algorithms.set("SHA-256", () => new ShaWorker());

const CONFIGURATION = JSON.stringify({ hideLogo: true, hideFooter: true, humanInteractionSignature: false });

export interface CheckProps {
  action: "signup" | "login";
  /** The token once the check is passed; undefined while it is not. */
  onToken: (token: string | undefined) => void;
  /** The failed answer that used the token up. Each is accepted once, so a new answer asks for a new one. */
  spentBy: object | undefined;
}

type Widget = HTMLElementTagNameMap["altcha-widget"];

/** ALTCHA's widget. It starts by itself, and again when its answer was used or grew old. */
export function ProofOfWork({ action, onToken, spentBy }: CheckProps) {
  const widget = useRef<Widget>(null);

  useEffect(() => {
    const element = widget.current;
    if (!element) return;
    const onState = (event: Event) => {
      const { payload, state } = (event as CustomEvent<{ payload?: string | null; state: string }>).detail;
      onToken(state === "verified" ? (payload ?? undefined) : undefined);
    };
    const onExpired = () => void element.verify();
    element.addEventListener("statechange", onState);
    element.addEventListener("expired", onExpired);
    return () => {
      element.removeEventListener("statechange", onState);
      element.removeEventListener("expired", onExpired);
    };
  }, [onToken]);

  useEffect(() => {
    if (spentBy !== undefined) void widget.current?.verify();
  }, [spentBy]);

  return (
    <altcha-widget
      ref={widget}
      auto="onload"
      challenge={`/api/bot-check?action=${action}`}
      configuration={CONFIGURATION}
      name="altcha"
    />
  );
}
