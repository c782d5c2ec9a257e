import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import type { Schema } from "../../shared/api-types";
import type { Outcome } from "../../shared/outcome";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import { Moment } from "../../shared/ui/moment";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card } from "../../shared/ui/page";
import { deviceName } from "./device-name";

type LogIn = Schema<"Session">;

interface Props {
  /** Undefined when they could not be had. */
  sessions: LogIn[] | undefined;
  outcome: Outcome | undefined;
}

/** Where somebody is logged in, with a way to end it from here. */
export function Sessions({ sessions, outcome }: Props) {
  const isBusy = useNavigation().state !== "idle";
  const heading = useRef<HTMLHeadingElement>(null);
  // A session that is ended takes its button with it.
  useEffect(() => {
    if (outcome?.kind === "done") heading.current?.focus();
  }, [outcome]);
  const others = sessions?.filter((session) => !session.current) ?? [];
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="mb-1 text-xl">
        Where you are logged in
      </h2>
      <p className="mb-4 text-muted">End what you do not know, then change your password.</p>
      {sessions === undefined && <Notice kind="bad">Your sessions could not be loaded. Please try again later.</Notice>}
      <ul className="divide-y divide-line">
        {sessions?.map((session) => (
          <Row key={session.id} session={session} isBusy={isBusy} />
        ))}
      </ul>
      <Form method="post" className="mt-4 space-y-4">
        {others.length > 0 && (
          <Button type="submit" name="session" value={others.map((session) => session.id).join(" ")} disabled={isBusy}>
            End all other sessions
          </Button>
        )}
        <OutcomeNotice outcome={outcome} />
      </Form>
    </Card>
  );
}

function Row({ session, isBusy }: { session: LogIn; isBusy: boolean }) {
  const name = deviceName(session.device);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-sm text-muted">
          Since <Moment at={session.createdAt} />, last used <Moment at={session.lastUsedAt} />
        </p>
      </div>
      {session.current ? (
        <span className="text-sm font-medium text-ok">This session</span>
      ) : (
        <Form method="post">
          <Button
            type="submit"
            look="quiet"
            name="session"
            value={session.id}
            aria-label={`End the session of ${name}`}
            disabled={isBusy}
          >
            End
          </Button>
        </Form>
      )}
    </li>
  );
}
