import { useAsyncError, useRevalidator, useRouteError } from "react-router";
import { isLoadFailure } from "../load-failure";
import { Button } from "./button";
import { EmptyState } from "./empty-state";
import { PageFailure } from "./page-failure";

/** The error of a route: with `message` and a retry button if its data could not be loaded. */
export function RouteError({ message }: { message: string }) {
  const revalidator = useRevalidator();
  const routeError = useRouteError();
  const defect = useAsyncError() ?? routeError ?? undefined;
  if (defect !== undefined && !isLoadFailure(defect)) return <PageFailure message="Something went wrong." />;
  return (
    <EmptyState
      title={
        <p role="alert" className="text-xl font-semibold">
          {message}
        </p>
      }
      text="Check your connection, then try again."
      action={
        <Button onClick={() => void revalidator.revalidate()} disabled={revalidator.state !== "idle"}>
          Try Again
        </Button>
      }
    />
  );
}
