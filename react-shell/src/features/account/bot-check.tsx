import { useEffect, useState } from "react";
import { useRootData } from "../../shared/root-data";
import { ProofOfWork, type CheckProps } from "./proof-of-work";
import { ServiceCheck } from "./service-check";

/** Keeps bots out by whatever this shop uses. The token travels with the form as `recaptchaToken`. */
export function BotCheck({ action, onToken, spentBy }: CheckProps) {
  const { kind } = useRootData().config.botCheck;
  const [token, setToken] = useState<string>();
  useEffect(() => onToken(token), [token, onToken]);

  return (
    <div>
      <Check action={action} onToken={setToken} spentBy={spentBy} />
      <input type="hidden" name="recaptchaToken" value={token ?? ""} readOnly />
      {kind !== "off" && (
        // Its room stays when it is done: the button must not move away under a finger.
        <p className={`mt-1 text-sm text-muted ${token === undefined ? "" : "invisible"}`}>
          The button wakes up when the bot check is done.
        </p>
      )}
    </div>
  );
}

function Check(props: CheckProps) {
  const { botCheck, supportEmail } = useRootData().config;
  const { kind } = botCheck;
  if (kind === "off") return <NoCheck onToken={props.onToken} />;
  if (kind === "pow") return <ProofOfWork {...props} />;
  return <ServiceCheck kind={kind} siteKey={botCheck.siteKey ?? ""} supportEmail={supportEmail} {...props} />;
}

function NoCheck({ onToken }: Pick<CheckProps, "onToken">) {
  useEffect(() => onToken(""), [onToken]);
  return null;
}
