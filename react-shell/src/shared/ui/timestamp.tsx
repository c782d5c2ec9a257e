import { formatDate } from "../rules";

/** Date and time in the shop’s time zone, as the server sends it: RFC 3339 with the zone’s offset. */
export function Timestamp({ at }: { at: string }) {
  const [offset = ""] = /[+-]\d\d:\d\d$/.exec(at) ?? [];
  return (
    <time dateTime={at} className="whitespace-nowrap tabular-nums">
      {formatDate(at)} {at.slice(11, 16)} UTC{offset}
    </time>
  );
}
