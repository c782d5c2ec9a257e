import { useShellSwap } from "../shared/first-paint";
import { Button } from "../shared/ui/button";
import { Notice } from "../shared/ui/notice";

/** The error page for a page that could not be loaded because the server or the network is down. */
export function ErrorPage() {
  useShellSwap(true);
  return (
    <div className="mx-auto w-full max-w-2xl space-y-4 p-6">
      <title>Something went wrong</title>
      <h1 tabIndex={-1} className="text-3xl">
        Something went wrong
      </h1>
      <Notice kind="error">This page couldn’t be loaded. Check your connection and try again.</Notice>
      <Button variant="primary" onClick={() => window.location.reload()}>
        Try Again
      </Button>
    </div>
  );
}
