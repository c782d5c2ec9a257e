import { formatDate } from "../rules";

/** Date and time in UTC, like all dates of the shop. */
export function Timestamp({ at }: { at: string }) {
  return (
    <time dateTime={at} className="tabular-nums">
      {formatDate(at)} {at.slice(11, 16)} UTC
    </time>
  );
}
