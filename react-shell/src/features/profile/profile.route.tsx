import { useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import type { Schema } from "../../shared/api-types";
import { done, failed, text, type Outcome } from "../../shared/outcome";
import { requireSignedIn } from "../../shared/signed-in";
import { Card } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { endSession, findUser, listSessions } from "./api";
import { Sessions } from "./sessions";

interface ProfileData {
  email: string;
  sessions: Schema<"Session">[] | undefined;
}

export async function loader({ request }: LoaderFunctionArgs): Promise<ProfileData> {
  requireSignedIn(request);
  const [{ data }, sessions] = await Promise.all([
    findUser(),
    listSessions().then(
      (answer) => answer.sessions,
      () => undefined,
    ),
  ]);
  return { email: data.UserAttributes.find((attribute) => attribute.Name === "email")?.Value ?? "", sessions };
}

/** Ends the sessions that are named. One that is over already needs no ending. */
export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  requireSignedIn(request);
  const ids = text(await request.formData(), "session").split(" ");
  const endings = await Promise.allSettled(ids.map((id) => endSession(id)));
  const isLeft = endings.some((ending) => ending.status === "rejected" && !isOver(ending.reason));
  if (isLeft) return failed("Not every session could be ended. Please try again.");
  return done(ids.length === 1 ? "The session is ended." : "All other sessions are ended.");
}

function isOver(reason: unknown): boolean {
  return reason instanceof ApiError && reason.status === 404;
}

export function Component() {
  const { email, sessions } = useLoaderData<ProfileData>();
  const outcome = useActionData<Outcome>();
  return (
    <div className="max-w-2xl space-y-6">
      <Card>
        <h2 className="mb-4 text-xl">Profile</h2>
        <dl>
          <dt className="text-muted">Email</dt>
          <dd className="break-words">{email}</dd>
        </dl>
      </Card>
      <Sessions sessions={sessions} outcome={outcome} />
    </div>
  );
}

export function ErrorBoundary() {
  return <RouteError message="Your profile could not be loaded. Please try again later." />;
}
