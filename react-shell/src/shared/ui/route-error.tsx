import { useRevalidator } from "react-router";
import { Button } from "./button";
import { Notice } from "./notice";

/** The error of a route whose data could not be loaded, with a retry button. */
export function RouteError({ message }: { message: string }) {
  const revalidator = useRevalidator();
  return (
    <div className="mx-auto w-full max-w-2xl space-y-4">
      <Notice kind="error">{message}</Notice>
      <Button onClick={() => void revalidator.revalidate()} disabled={revalidator.state !== "idle"}>
        Try Again
      </Button>
    </div>
  );
}
