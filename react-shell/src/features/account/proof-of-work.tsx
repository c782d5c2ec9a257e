import "altcha/altcha.css";
import "altcha/external";
import ShaWorker from "altcha/workers/sha?worker";
import { useEffect, useRef } from "react";

// The content security policy only allows workers that the shop itself serves.
globalThis.$altcha.algorithms.set("SHA-256", () => new ShaWorker());

const WIDGET_OPTIONS = JSON.stringify({ hideLogo: true, hideFooter: true, humanInteractionSignature: false });

export interface BotCheckProps {
  action: "signup" | "login";
  /** Called with the token once the check has passed; undefined before. */
  onToken: (token: string | undefined) => void;
  /** The failed result that used up the token. Tokens are single-use, so a new value requests a new token. */
  resetKey: object | undefined;
}

type Widget = HTMLElementTagNameMap["altcha-widget"];

/** ALTCHA proof-of-work widget. It starts on load, and again when its solution was used or has expired. */
export function ProofOfWork({ action, onToken, resetKey }: BotCheckProps) {
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
    if (resetKey !== undefined) void widget.current?.verify();
  }, [resetKey]);

  return (
    <altcha-widget
      ref={widget}
      auto="onload"
      challenge={`/api/bot-check?action=${action}`}
      configuration={WIDGET_OPTIONS}
      name="altcha"
    />
  );
}
