import { useEffect, useState } from "react";
import { loadEstimates, type Estimates } from "./estimates";
import { useRootData } from "./root-data";
import type { ShopConfig } from "./shop-config";

const MINUTE_MS = 60_000;

/** When an order that is placed now arrives in each country, and how many minutes are left to place it. */
export interface ArrivalEstimate {
  us: string;
  ca: string;
  minutesLeft: number | null;
}

/** The estimate, renewed every minute; null until it is there. Pages are complete without it. */
export function useArrivalEstimate(): ArrivalEstimate | null {
  const { config } = useRootData();
  const [estimate, setEstimate] = useState<ArrivalEstimate | null>(null);
  useEffect(() => {
    let estimates: Estimates | undefined;
    let isUnmounted = false;
    const update = () => {
      if (estimates !== undefined && !isUnmounted) setEstimate(estimateArrival(estimates, config, new Date()));
    };
    const load = async () => {
      estimates = await loadEstimates().catch(() => undefined);
      update();
    };
    void load();
    const timer = setInterval(update, MINUTE_MS);
    return () => {
      isUnmounted = true;
      clearInterval(timer);
    };
  }, [config]);
  return estimate;
}

export function estimateArrival(estimates: Estimates, config: ShopConfig, now: Date): ArrivalEstimate | null {
  const { delivery, time_zone: timeZone } = config;
  const local = localTime(now, timeZone);
  const [us, ca] = [
    estimates.estimatedArrival(local, "US", delivery),
    estimates.estimatedArrival(local, "CA", delivery),
  ];
  if (us === undefined || ca === undefined) return null;
  return { us, ca, minutesLeft: estimates.minutesToCutoff(local, delivery) ?? null };
}

/** The date and time in the shop's time zone: `2026-11-25T09:48:00`. A zone that the browser doesn't know is UTC. */
function localTime(now: Date, timeZone: string): string {
  try {
    // Sweden writes dates and times as ISO 8601 does.
    return now.toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
  } catch {
    return now.toISOString();
  }
}

/** `5 h 12 min` */
export function durationText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [hours > 0 && `${hours} h`, (rest > 0 || hours === 0) && `${rest} min`].filter(Boolean).join(" ");
}
