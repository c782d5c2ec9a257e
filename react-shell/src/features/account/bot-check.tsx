import { useEffect, useRef, useState, type RefObject } from "react";
import { useRootData } from "../../shared/root-data";
import { ProofOfWork, type BotCheckProps } from "./proof-of-work";
import { ServiceCheck } from "./service-check";

/**
 * Captcha, by the provider that the shop is configured for. It starts when a field of its form first has the focus. The
 * form submits its token as `recaptchaToken`.
 */
export function BotCheck({ action, onToken, resetKey }: Omit<BotCheckProps, "isStarted">) {
  const { kind } = useRootData().config.bot_check;
  const [token, setToken] = useState<string>();
  const container = useRef<HTMLDivElement>(null);
  const isStarted = useFormFocus(container);
  useEffect(() => {
    onToken(token);
  }, [token, onToken]);

  return (
    <div ref={container}>
      <Provider action={action} isStarted={isStarted} onToken={setToken} resetKey={resetKey} />
      <input type="hidden" name="recaptchaToken" value={token ?? ""} readOnly />
      {kind !== "off" && (
        // Invisible instead of removed, to avoid a layout shift of the submit button.
        <p className={`mt-1 text-sm text-muted ${isStarted && token === undefined ? "" : "invisible"}`}>
          One moment: checking you’re human…
        </p>
      )}
    </div>
  );
}

/** Whether the focus has been in the form of the element. */
function useFormFocus(element: RefObject<HTMLElement | null>): boolean {
  const [hasFocused, setFocused] = useState(false);
  useEffect(() => {
    const form = element.current?.closest("form");
    if (!form) return;
    const start = () => setFocused(true);
    // The focus may have been there before this page's scripts.
    const timer = setTimeout(() => form.contains(document.activeElement) && start());
    form.addEventListener("focusin", start, { once: true });
    return () => {
      clearTimeout(timer);
      form.removeEventListener("focusin", start);
    };
  }, [element]);
  return hasFocused;
}

function Provider(props: BotCheckProps) {
  const { bot_check: botCheck, support_email: supportEmail } = useRootData().config;
  const { kind } = botCheck;
  if (kind === "off") return <NoCheck onToken={props.onToken} />;
  if (kind === "pow") return <ProofOfWork {...props} />;
  return <ServiceCheck kind={kind} siteKey={botCheck.site_key ?? ""} supportEmail={supportEmail} {...props} />;
}

function NoCheck({ onToken }: Pick<BotCheckProps, "onToken">) {
  useEffect(() => {
    onToken("");
  }, [onToken]);
  return null;
}
