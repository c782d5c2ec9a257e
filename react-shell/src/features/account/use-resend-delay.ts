import { useEffect, useState } from "react";
import { RESEND_ENABLED_AFTER_MS } from "../../shared/timings";

/** Whether a new code can be requested: not in the first 5 s, while the first email is likely still in transit. */
export function useResendDelay(): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), RESEND_ENABLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}
