import { useEffect, useState } from "react";
import { useRootData } from "../../shared/root-data";
import { Notice } from "../../shared/ui/notice";
import { ProofOfWork, type CheckProps } from "./proof-of-work";

/** Keeps bots out by whatever this shop uses. The token travels with the form as `recaptchaToken`. */
export function BotCheck({ action, onToken, spentBy }: CheckProps) {
  const { kind } = useRootData().config.botCheck;
  const [token, setToken] = useState<string>();
  useEffect(() => onToken(token), [token, onToken]);

  return (
    <div>
      <Check kind={kind} action={action} onToken={setToken} spentBy={spentBy} />
      <input type="hidden" name="recaptchaToken" value={token ?? ""} readOnly />
      {token === undefined && (
        <p className="mt-1 text-sm text-muted">The button wakes up when the bot check is done.</p>
      )}
    </div>
  );
}

function Check({ kind, ...rest }: CheckProps & { kind: string }) {
  if (kind === "pow") return <ProofOfWork {...rest} />;
  if (kind === "off") return <NoCheck onToken={rest.onToken} />;
  return <Notice kind="bad">The bot check could not be loaded. Please try again later.</Notice>;
}

function NoCheck({ onToken }: Pick<CheckProps, "onToken">) {
  useEffect(() => onToken(""), [onToken]);
  return null;
}
