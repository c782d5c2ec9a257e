import { useRevalidator } from "react-router";
import { Button } from "./button";
import { EmptyState } from "./empty-state";

/** The error of a route whose data could not be loaded, with a retry button. */
export function RouteError({ message }: { message: string }) {
  const revalidator = useRevalidator();
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
