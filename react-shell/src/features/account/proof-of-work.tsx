import "altcha/altcha.css";
import { useEffect, useRef, useState } from "react";
import type { AltchaWidget, WidgetState } from "../../shared/altcha";
import "../../shared/altcha";

const WIDGET_OPTIONS = JSON.stringify({ hideLogo: true, hideFooter: true, humanInteractionSignature: false });

export interface BotCheckProps {
  action: "signup" | "login";
  /** Whether the visitor uses the form. Before, nothing is loaded or calculated. */
  isStarted: boolean;
  /** Called with the token once the check has passed; undefined before. */
  onToken: (token: string | undefined) => void;
  /** The failed result that used up the token. Tokens are single-use, so a new value requests a new token. */
  resetKey: object | undefined;
}

/** ALTCHA proof-of-work widget. It runs once the visitor uses the form, and again when its solution was used or has expired. */
export function ProofOfWork({ action, isStarted, onToken, resetKey }: BotCheckProps) {
  const widget = useRef<AltchaWidget>(null);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    const element = widget.current;
    if (!element) return;
    const onState = (event: Event) => {
      const { payload, state } = (event as CustomEvent<WidgetState>).detail;
      setFailed(state === "error");
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
    if (isStarted) void widget.current?.verify();
  }, [isStarted]);

  useEffect(() => {
    if (resetKey !== undefined) void widget.current?.verify();
  }, [resetKey]);

  // There is nothing to do in the widget but to try again.
  return (
    <div hidden={!hasFailed}>
      <altcha-widget
        ref={widget}
        challenge={`/api/bot-check?action=${action}`}
        configuration={WIDGET_OPTIONS}
        name="altcha"
      />
    </div>
  );
}
