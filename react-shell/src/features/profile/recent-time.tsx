import { useState } from "react";
import { recentTime } from "../../shared/clock-time";
import { Timestamp } from "../../shared/ui/timestamp";

/** A time of today or yesterday in words, or else a timestamp. */
export function RecentTime({ at }: { at: string }) {
  const [now] = useState(Date.now);
  const recent = recentTime(at, now);
  if (recent === undefined) return <Timestamp at={at} />;
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {recent}
    </time>
  );
}
