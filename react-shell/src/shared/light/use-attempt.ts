import { useState } from "react";
import { DriveError } from "./drive";

/** Runs one operation on a drive at a time, and stores its error message. */
export function useAttempt() {
  const [error, setError] = useState<string>();
  const [isRunning, setRunning] = useState(false);

  async function attempt(operation: () => Promise<void>) {
    if (isRunning) return;
    setError(undefined);
    setRunning(true);
    try {
      await operation();
    } catch (problem) {
      if (!(problem instanceof DriveError)) throw problem;
      setError(problem.message);
    } finally {
      setRunning(false);
    }
  }

  return { error, isRunning, attempt };
}
