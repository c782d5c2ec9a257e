import { useEffect, useRef, useState } from "react";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import type { BotCheckProps } from "./proof-of-work";
import { startRecaptcha } from "./recaptcha";
import type { TokenSource } from "./token-source";
import { startTurnstile } from "./turnstile";

const SERVICES = {
  recaptcha: { start: startRecaptcha, host: "www.google.com" },
  turnstile: { start: startTurnstile, host: "challenges.cloudflare.com" },
} as const;

/** Tokens expire on the server after two minutes. A slowly completed form needs a fresh one. */
const RENEW_AFTER_MS = 100_000;

interface ServiceProps extends BotCheckProps {
  kind: keyof typeof SERVICES;
  siteKey: string;
}

/** Captcha by an external service, with a retry if its script cannot be loaded. */
export function ServiceCheck({ supportEmail, onToken, ...service }: ServiceProps & { supportEmail: string }) {
  const [attempt, setAttempt] = useState(0);
  const [hasFailed, setFailed] = useState(false);

  function tryAgain() {
    setFailed(false);
    onToken(undefined);
    setAttempt(attempt + 1);
  }

  return (
    <>
      <ServiceTokens key={attempt} {...service} onToken={onToken} onFailure={setFailed} />
      {hasFailed && (
        <Notice kind="error">
          <p>
            The security check from {SERVICES[service.kind].host} couldn’t be loaded. If something in your browser
            blocks it, allow it and try again.
            {service.action === "login" && " If the check itself is down, you can log in without it."}
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button onClick={tryAgain}>Try Again</Button>
            <a href={`mailto:${supportEmail}`} className="text-link">
              Contact Us
            </a>
          </p>
        </Notice>
      )}
    </>
  );
}

interface TokensProps extends ServiceProps {
  /** Called when the service starts or stops failing. */
  onFailure: (hasFailed: boolean) => void;
}

/** Issues tokens of the service, and new ones when they were used or are about to expire. */
function ServiceTokens({ kind, siteKey, action, isStarted, onToken, resetKey, onFailure }: TokensProps) {
  const host = useRef<HTMLDivElement>(null);
  const source = useRef<TokenSource>(undefined);

  useEffect(() => {
    if (!isStarted || !host.current) return;
    let isUnmounted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function handleToken(token: string | undefined) {
      if (isUnmounted) return;
      clearTimeout(timer);
      if (token !== undefined) timer = setTimeout(() => source.current?.renew(), RENEW_AFTER_MS);
      onFailure(false);
      onToken(token);
    }
    function handleFailure() {
      if (isUnmounted) return;
      onFailure(true);
      // The server accepts a login without a token while the service is down.
      onToken(action === "login" ? "" : undefined);
    }
    async function start(element: HTMLElement) {
      try {
        const started = await SERVICES[kind].start({
          host: element,
          siteKey,
          action,
          onToken: handleToken,
          onFailure: handleFailure,
        });
        if (isUnmounted) started.stop();
        else source.current = started;
      } catch {
        handleFailure();
      }
    }
    void start(host.current);
    return () => {
      isUnmounted = true;
      clearTimeout(timer);
      source.current?.stop();
      source.current = undefined;
    };
  }, [kind, siteKey, action, isStarted, onToken, onFailure]);

  useEffect(() => {
    if (resetKey !== undefined) source.current?.renew();
  }, [resetKey]);

  return <div ref={host} />;
}
