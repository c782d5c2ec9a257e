import { useEffect, useState } from "react";
import { useRootData } from "../../shared/root-data";
import { ProofOfWork, type BotCheckProps } from "./proof-of-work";
import { ServiceCheck } from "./service-check";

/** Captcha, by the provider that the shop is configured for. The form submits its token as `recaptchaToken`. */
export function BotCheck({ action, onToken, resetKey }: BotCheckProps) {
  const { kind } = useRootData().config.bot_check;
  const [token, setToken] = useState<string>();
  useEffect(() => {
    onToken(token);
  }, [token, onToken]);

  return (
    <div>
      <Provider action={action} onToken={setToken} resetKey={resetKey} />
      <input type="hidden" name="recaptchaToken" value={token ?? ""} readOnly />
      {kind !== "off" && (
        // Invisible instead of removed, to avoid a layout shift of the submit button.
        <p className={`mt-1 text-sm text-muted ${token === undefined ? "" : "invisible"}`}>
          One moment: checking you’re human…
        </p>
      )}
    </div>
  );
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
