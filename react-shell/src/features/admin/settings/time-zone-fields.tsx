import { useEffect } from "react";
import { useLoaderData, useRevalidator } from "react-router";
import { Deferred } from "../../../shared/ui/deferred";
import { SelectField } from "../../../shared/ui/field";
import { Notice } from "../../../shared/ui/notice";
import { SkeletonLine } from "../../../shared/ui/skeleton";
import type { TimeZones } from "./api";
import { LockableField } from "./lockable-field";
import type { SectionFieldsProps } from "./settings-section";

/** How often the page asks whether a new time zone is in force. */
const POLL_MS = 2_000;

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

function TimeZoneField({ settings, errors, timeZones }: SectionFieldsProps & { timeZones: TimeZones }) {
  const field = { label: "Time zone", name: "time_zone", defaultValue: settings.settings.time_zone };
  return (
    <div className="space-y-4">
      {settings.locked["time_zone"] === undefined ? (
        <SelectField
          {...field}
          required={false}
          className="max-w-md"
          hint="Days in lists, filters, reports, emails, and files are those of this time zone."
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
      {!timeZones.in_force && <RebuildNotice />}
    </div>
  );
}

/** Shown while the daily totals are counted for a new time zone. */
function RebuildNotice() {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => void revalidate(), POLL_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  return (
    <Notice kind="info">
      The daily totals are being counted for this time zone. Until then, lists, reports, emails, and files keep the days
      of the previous one.
    </Notice>
  );
}
