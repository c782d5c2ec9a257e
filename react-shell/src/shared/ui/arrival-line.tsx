import { durationText, useArrivalEstimate } from "../arrival-estimate";
import type { Country } from "../rules";

/** "Order within 5 h 12 min: arrives Nov 30 – Dec 3" */
export function ArrivalLine({ country }: { country: Country }) {
  const estimate = useArrivalEstimate();
  if (estimate === null) return null;
  const days = country === "US" ? estimate.us : estimate.ca;
  const within =
    estimate.minutesLeft === null ? "Arrives" : `Order within ${durationText(estimate.minutesLeft)}: arrives`;
  return (
    <p className="text-sm">
      {within} <strong className="font-semibold whitespace-nowrap">{days}</strong>
    </p>
  );
}
