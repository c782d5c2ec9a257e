import { useEffect, useRef, useState } from "react";
import { Button } from "../../shared/ui/button";
import { TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import type { CheckProps } from "./proof-of-work";
import { beginRecaptcha } from "./recaptcha";
import type { TokenSource } from "./token-source";
import { beginTurnstile } from "./turnstile";

const SERVICES = {
  recaptcha: { begin: beginRecaptcha, host: "www.google.com" },
  turnstile: { begin: beginTurnstile, host: "challenges.cloudflare.com" },
} as const;

/** The server takes a token for two minutes; what is typed slowly needs a younger one. */
const RENEW_AFTER_MS = 100_000;

interface ServiceProps extends CheckProps {
  kind: keyof typeof SERVICES;
  siteKey: string;
}

/** A check by a service, with a way on when its script can't be had. */
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
        <Notice kind="bad">
          <p>
            The bot check could not be loaded from {SERVICES[service.kind].host}. Allow it if something in your browser
            blocks it, then try again.
            {service.action === "login" && " While the check itself is down, you can log in without it."}
          </p>
          <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button onClick={tryAgain}>Try Again</Button>
            <a href={`mailto:${supportEmail}`} className={TEXT_LINK}>
              Write to us
            </a>
          </p>
        </Notice>
      )}
    </>
  );
}

interface TokensProps extends ServiceProps {
  /** Whether the service fails now. */
  onFailure: (hasFailed: boolean) => void;
}

/** A token of the service, renewed when it was used or grows old. Its script is loaded here and on no other page. */
function ServiceTokens({ kind, siteKey, action, onToken, spentBy, onFailure }: TokensProps) {
  const host = useRef<HTMLDivElement>(null);
  const source = useRef<TokenSource>(undefined);

  useEffect(() => {
    if (!host.current) return;
    let isGone = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function take(token: string | undefined) {
      if (isGone) return;
      clearTimeout(timer);
      if (token !== undefined) timer = setTimeout(() => source.current?.renew(), RENEW_AFTER_MS);
      onFailure(false);
      onToken(token);
    }
    function fail() {
      if (isGone) return;
      onFailure(true);
      // The server knows whether the service is down; then it lets customers in without a token.
      onToken(action === "login" ? "" : undefined);
    }
    async function begin(element: HTMLElement) {
      try {
        const begun = await SERVICES[kind].begin({ host: element, siteKey, action, onToken: take, onFailure: fail });
        if (isGone) begun.stop();
        else source.current = begun;
      } catch {
        fail();
      }
    }
    void begin(host.current);
    return () => {
      isGone = true;
      clearTimeout(timer);
      source.current?.stop();
      source.current = undefined;
    };
  }, [kind, siteKey, action, onToken, onFailure]);

  useEffect(() => {
    if (spentBy !== undefined) source.current?.renew();
  }, [spentBy]);

  return <div ref={host} />;
}
