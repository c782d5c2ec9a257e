import { clockTime } from "../clock-time";
import { formatDate } from "../rules";

/** Date and time in the shop’s time zone, as the server sends it: RFC 3339 with the zone’s offset. */
export function Timestamp({ at }: { at: string }) {
  const text = `${formatDate(at)}, ${clockTime(at)}`;
  const [offset = ""] = /[+-]\d\d:\d\d$/.exec(at) ?? [];
  return (
    <time dateTime={at} title={`${text} UTC${offset}`} className="whitespace-nowrap tabular-nums">
      {text}
    </time>
  );
}
