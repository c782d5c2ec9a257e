import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import type { Schema } from "../../shared/api-types";
import type { FormResult } from "../../shared/form-result";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card } from "../../shared/ui/page";
import { deviceName } from "./device-name";
import { RecentTime } from "./recent-time";

type Session = Schema<"Session">;

interface Props {
  /** Undefined if they could not be loaded. */
  sessions: Session[] | undefined;
  result: FormResult | undefined;
}

/** The customer's active sessions, with buttons that revoke them. */
export function Sessions({ sessions, result }: Props) {
  const isBusy = useNavigation().state !== "idle";
  const heading = useRef<HTMLHeadingElement>(null);
  // The button of a revoked session disappears.
  useEffect(() => {
    if (result?.kind === "succeeded") heading.current?.focus();
  }, [result]);
  const others = sessions?.filter((session) => !session.current) ?? [];
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="mb-1 text-xl">
        Where you’re logged in
      </h2>
      <p className="mb-4 text-muted">Log out of sessions you don’t recognize, then change your password.</p>
      {sessions === undefined && (
        <Notice kind="error">Your sessions couldn’t be loaded. Please try again later.</Notice>
      )}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <Row key={session.id} session={session} isBusy={isBusy} />
        ))}
      </ul>
      <Form method="post" className="mt-4 space-y-4">
        {others.length > 0 && (
          <Button type="submit" name="session" value={others.map((session) => session.id).join(" ")} disabled={isBusy}>
            Log Out Everywhere Else
          </Button>
        )}
        <FormResultNotice result={result} />
      </Form>
    </Card>
  );
}

function Row({ session, isBusy }: { session: Session; isBusy: boolean }) {
  const name = deviceName(session.device);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-sm text-muted">
          Logged in <RecentTime at={session.created_at_local} />, last active{" "}
          <RecentTime at={session.last_used_at_local} />
        </p>
      </div>
      {session.current ? (
        <span className="text-sm font-medium text-ok">This device</span>
      ) : (
        <Form method="post">
          <Button
            type="submit"
            variant="ghost"
            name="session"
            value={session.id}
            aria-label={`Log out ${name}`}
            disabled={isBusy}
          >
            Log Out
          </Button>
        </Form>
      )}
    </li>
  );
}
