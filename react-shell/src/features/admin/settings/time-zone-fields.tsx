import { useEffect, useState } from "react";
import { useLoaderData } from "react-router";
import { Deferred } from "../../../shared/ui/deferred";
import { SelectField } from "../../../shared/ui/field";
import { Notice } from "../../../shared/ui/notice";
import { SkeletonLine } from "../../../shared/ui/skeleton";
import type { TimeZones } from "./api";
import { LockableField } from "./lockable-field";
import type { SectionFieldsProps } from "./settings-section";

/** How often the progress bar moves. */
const TICK_MS = 1_000;

export function TimeZoneFields(props: SectionFieldsProps) {
  const { timeZones } = useLoaderData<{ timeZones: Promise<TimeZones> }>();
  return (
    <Deferred
      data={timeZones}
      skeleton={<SkeletonLine className="w-full max-w-md" />}
      failure={<Notice kind="error">Couldn’t load the time zones. Please try again later.</Notice>}
    >
      {(loaded) => <TimeZoneField {...props} timeZones={loaded} />}
    </Deferred>
  );
}

function TimeZoneField({ settings, errors, isSaving, timeZones }: SectionFieldsProps & { timeZones: TimeZones }) {
  const duration = inSeconds(timeZones.change_seconds);
  const field = { label: "Time zone", name: "time_zone", defaultValue: settings.settings.time_zone };
  return (
    <div className="space-y-4">
      {settings.locked["time_zone"] === undefined ? (
        <SelectField
          {...field}
          required={false}
          className="max-w-md"
          hint={`${otherZone(settings.settings.time_zone)}All dates and reports use this time zone. A change recounts the daily totals, which takes about ${duration}. Customers can’t place orders until it’s done.`}
          error={errors["time_zone"]}
        >
          {timeZones.zones.map(({ name, offset }) => (
            <option key={name} value={name}>
              {name.replaceAll("_", " ")} (UTC{offset})
            </option>
          ))}
        </SelectField>
      ) : (
        <LockableField {...field} settings={settings} className="max-w-md" />
      )}
      {isSaving && <RecountProgress seconds={timeZones.change_seconds} />}
    </div>
  );
}

/** A hint if the shop is still in UTC, the default, and the browser is not. */
function otherZone(zone: string): string {
  const browser = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone !== "UTC" || browser === zone) return "";
  return `UTC is the default. Your browser’s time zone is ${browser.replaceAll("_", " ")}. `;
}

function inSeconds(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}

/** Shown while a change of the time zone is saved. The server reports no progress, so the bar follows its estimate. */
function RecountProgress({ seconds }: { seconds: number }) {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setElapsed((before) => before + 1), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <Notice kind="info">
      <p>Recounting the daily totals. This takes about {inSeconds(seconds)}.</p>
      <progress aria-label="Recounting the daily totals" className="w-full" value={elapsed} max={seconds} />
    </Notice>
  );
}
