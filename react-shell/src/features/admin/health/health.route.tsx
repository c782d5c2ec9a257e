import type { ReactNode } from "react";
import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { deferred } from "../../../shared/deferred";
import { Deferred } from "../../../shared/ui/deferred";
import { Card, Page } from "../../../shared/ui/page";
import { RouteError } from "../../../shared/ui/route-error";
import { SkeletonLine } from "../../../shared/ui/skeleton";
import { Timestamp } from "../../../shared/ui/timestamp";
import { getHealth, type HealthReport } from "./api";
import { Problems } from "./problems";

interface Loaded {
  health: Promise<HealthReport>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  return { health: deferred(getHealth()) };
}

export function Component() {
  const { health } = useLoaderData<Loaded>();
  return (
    <Page title="Health">
      <Deferred
        data={health}
        skeleton={<HealthSkeleton />}
        failure={<RouteError message="Failed to fetch the shop’s health. Please try again later." />}
      >
        {(loaded) => <Health health={loaded} />}
      </Deferred>
    </Page>
  );
}

function Health({ health }: { health: HealthReport }) {
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <div className="md:col-span-2">
        <Problems problems={health.problems} isBackedUp={health.backed_up_at !== undefined} />
      </div>
      <Facts title="Waiting work">
        <Fact name="Emails">
          <Waiting work={health.emails} />
        </Fact>
        {health.email_failure !== undefined && <Fact name="Last mail error">{health.email_failure}</Fact>}
        <Fact name="Undelivered emails, last 7 days">{count(health.failed_emails)}</Fact>
        <Fact name="Payment events">
          <Waiting work={health.webhook_events} />
        </Fact>
        <Fact name="Tax records">{count(health.pending_tax_records)}</Fact>
        <Fact name="Open checkouts">{count(health.open_checkouts)}</Fact>
      </Facts>
      <Facts title="Payments">
        <Fact name="Payment provider">{health.provider_responds ? "Responds" : "Doesn’t respond"}</Fact>
        <Fact name="Payments without an order">{count(health.payments_without_order)}</Fact>
        <Fact name="Open alerts">{count(health.open_alerts)}</Fact>
        <Fact name="Payments last compared">
          <LastRun at={health.reconciled_at} />
        </Fact>
        <Fact name="Payouts updated">
          <LastRun at={health.payouts_synced_at} />
        </Fact>
      </Facts>
      <Facts title="Data">
        <Fact name="Database">{size(health.database_bytes)}</Fact>
        {health.clock_ahead_ms !== undefined && (
          <Fact name="Clock, compared with the database’s">{clockDifference(health.clock_ahead_ms)}</Fact>
        )}
        {health.disk_free_bytes !== undefined && <Fact name="Free disk space">{size(health.disk_free_bytes)}</Fact>}
        <Fact name="Last backup">
          {health.backed_up_at === undefined ? "None recorded" : <Timestamp at={health.backed_up_at} />}
        </Fact>
        {health.drilled_at !== undefined && (
          <Fact name="Last restore drill">
            <Timestamp at={health.drilled_at} />
          </Fact>
        )}
      </Facts>
      <Facts title="Program">
        <Fact name="Version">{health.version}</Fact>
        <Fact name="Database schema">{health.schema_version}</Fact>
      </Facts>
    </div>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <h2 className="mb-4 text-xl">{title}</h2>
      <dl className="grid gap-2">{children}</dl>
    </Card>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 font-medium break-words tabular-nums">{children}</dd>
    </div>
  );
}

function Waiting({ work }: { work: HealthReport["emails"] }) {
  if (work.oldest === undefined) return "0";
  return (
    <>
      {count(work.waiting)} since <Timestamp at={work.oldest} />
    </>
  );
}

function LastRun({ at }: { at: string | undefined }) {
  return at === undefined ? "Never" : <Timestamp at={at} />;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** "3,600 s behind"; "Agrees" below a second. */
function clockDifference(aheadMs: number): string {
  const seconds = Math.trunc(Math.abs(aheadMs) / 1000);
  if (seconds === 0) return "Agrees";
  return `${count(seconds)} s ${aheadMs > 0 ? "ahead" : "behind"}`;
}

const UNITS = ["kilobyte", "megabyte", "gigabyte", "terabyte"];

/** "10.5 MB" */
function size(bytes: number): string {
  const power = Math.min(Math.max(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), 1), UNITS.length);
  const style = { style: "unit", unit: UNITS[power - 1], maximumFractionDigits: 1 } as const;
  return (bytes / 1000 ** power).toLocaleString("en-US", style);
}

function HealthSkeleton() {
  return (
    <div role="status" className="grid gap-6 md:grid-cols-2">
      <span className="sr-only">Loading…</span>
      <Card className="h-20 md:col-span-2">
        <SkeletonLine />
      </Card>
      {["work", "payments", "data", "program"].map((card) => (
        <Card key={card} className="h-56">
          <SkeletonLine className="w-40" />
        </Card>
      ))}
    </div>
  );
}
