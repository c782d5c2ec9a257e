import { useRouteError } from "react-router";
import { useShellSwap } from "../shared/first-paint";
import { isLoadFailure } from "../shared/load-failure";
import { PageFailure } from "../shared/ui/page-failure";

/** The error page: for a page that could not be loaded, and for one with a defect. */
export function ErrorPage() {
  useShellSwap(true);
  const message = isLoadFailure(useRouteError())
    ? "This page couldn’t be loaded. Check your connection and try again."
    : "This page couldn’t be shown. Your cart is unchanged.";
  return (
    <div className="mx-auto w-full max-w-2xl space-y-4 p-6">
      <title>Something went wrong</title>
      <h1 tabIndex={-1} className="text-3xl">
        Something went wrong
      </h1>
      <PageFailure message={message} />
    </div>
  );
}

/** Logs a defect of a page, once: React and React Router have no log of their own then. */
export function logPageError(error: unknown): void {
  if (isLoadFailure(error)) return;
  // oxlint-disable-next-line no-console -- the only trace of a defect in a browser
  console.error(error);
}
