import { formatDate } from "../rules";

/** A day and a time. Every day that the shop shows is one in UTC, and so is the time beside it. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} className="tabular-nums">
      {formatDate(at)} {at.slice(11, 16)} UTC
    </time>
  );
}
