import { formatDate } from "../../../shared/rules";

interface Props {
  title: string;
  /** One bar per day, oldest first. */
  days: { day: string; value: number; label: string }[];
}

const HEIGHT = 96;
const STEP = 10;

/** A bar chart by day, with a visually hidden table for screen readers. */
export function BarChart({ title, days }: Props) {
  const highest = Math.max(...days.map(({ value }) => value), 1);
  return (
    <figure>
      <svg
        aria-hidden
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="block h-24 w-full overflow-visible"
      >
        {days.map(({ day, value, label }, index) => {
          const height = value === 0 ? 1 : Math.max(3, (value / highest) * HEIGHT);
          return (
            <g key={day} className={value === 0 ? "fill-line" : "fill-glow hover:fill-glow-ink"}>
              <title>{`${formatChartDay(day)}: ${label}`}</title>
              <rect x={index * STEP} width={STEP} height={HEIGHT} className="fill-transparent" />
              <rect x={index * STEP + 1} y={HEIGHT - height} width={STEP - 2} height={height} rx="1.5" />
            </g>
          );
        })}
      </svg>
      <table className="sr-only">
        <caption>{title}</caption>
        <tbody>
          {days.map(({ day, label }) => (
            <tr key={day}>
              <th scope="row">{formatChartDay(day)}</th>
              <td>{label}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption aria-hidden className="mt-2 flex justify-between text-sm text-muted tabular-nums">
        <span>{formatChartDay(days[0]?.day ?? "")}</span>
        <span>Today</span>
      </figcaption>
    </figure>
  );
}

function formatChartDay(day: string): string {
  return formatDate(`${day}T00:00:00Z`);
}
