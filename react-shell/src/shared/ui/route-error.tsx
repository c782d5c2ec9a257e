import { useRevalidator } from "react-router";
import { Button } from "./button";
import { Notice } from "./notice";

/** What a page shows when its data did not come: what failed, and a way on. */
export function RouteError({ message }: { message: string }) {
  const revalidator = useRevalidator();
  return (
    <div className="mx-auto w-full max-w-2xl space-y-4">
      <Notice kind="bad">{message}</Notice>
      <Button onClick={() => void revalidator.revalidate()} disabled={revalidator.state !== "idle"}>
        Try Again
      </Button>
    </div>
  );
}
