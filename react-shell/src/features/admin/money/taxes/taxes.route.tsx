import { Download } from "lucide-react";
import { useState } from "react";
import { Link, useLoaderData, type LoaderFunctionArgs } from "react-router";
import { serverFieldErrors } from "../../../../shared/api-client";
import { requireAdmin } from "../../../../shared/auth-guard";
import { downloadFile } from "../../../../shared/download-file";
import { Button } from "../../../../shared/ui/button";
import { EmptyState } from "../../../../shared/ui/empty-state";
import { FilterForm } from "../../../../shared/ui/filter-form";
import { TextField } from "../../../../shared/ui/field";
import { Notice } from "../../../../shared/ui/notice";
import { Page } from "../../../../shared/ui/page";
import { RouteError } from "../../../../shared/ui/route-error";
import { exportTaxReport, getTaxReport, type TaxReport } from "./api";
import { lastMonth, lastQuarter } from "./periods";
import { TaxTable } from "./tax-table";

interface TaxPage {
  period: { from: string; to: string };
  /** Missing if the period is invalid. */
  report?: TaxReport;
  errors: Record<string, string>;
}

export async function loader({ request }: LoaderFunctionArgs): Promise<TaxPage> {
  requireAdmin(request);
  const query = new URL(request.url).searchParams;
  const period = { from: query.get("from") ?? "", to: query.get("to") ?? "" };
  try {
    const report = await getTaxReport(new URLSearchParams(period));
    return { period: { from: report.from, to: report.to }, report, errors: {} };
  } catch (error) {
    const errors = serverFieldErrors(error);
    if (Object.keys(errors).length === 0) throw error;
    return { period, errors };
  }
}

export function Component() {
  const { period, report, errors } = useLoaderData<TaxPage>();
  return (
    <Page title="Tax Report" aside={report && <ExportButton report={report} />}>
      <FilterForm>
        <MonthField label="From" name="from" value={period.from} error={errors["from"]} />
        <MonthField label="To" name="to" value={period.to} error={errors["to"]} />
      </FilterForm>
      {report && <Periods thisMonth={report.this_month} />}
      {report && <Report report={report} />}
    </Page>
  );
}

export function ErrorBoundary() {
  return (
    <Page title="Tax Report">
      <RouteError message="Couldn’t load the tax report. Please try again later." />
    </Page>
  );
}

/** Links to the periods of usual tax returns. */
function Periods({ thisMonth }: { thisMonth: string }) {
  const periods = { "Last month": lastMonth(thisMonth), "Last quarter": lastQuarter(thisMonth) };
  return (
    <p className="no-print mb-4 flex flex-wrap gap-x-6">
      {Object.entries(periods).map(([label, { from, to }]) => (
        <Link
          key={label}
          to={`?${new URLSearchParams({ from, to })}`}
          className="text-link inline-flex min-h-11 items-center"
        >
          {label}
        </Link>
      ))}
    </p>
  );
}

interface MonthFieldProps {
  label: string;
  name: string;
  value: string;
  error: string | undefined;
}

/** Browsers without a month picker show a text field. */
function MonthField({ label, name, value, error }: MonthFieldProps) {
  return (
    <TextField
      type="month"
      label={label}
      name={name}
      defaultValue={value}
      placeholder="2026-12"
      required={false}
      error={error}
    />
  );
}

function Report({ report }: { report: TaxReport }) {
  if (report.rows.length === 0) {
    return <EmptyState title={<p className="text-xl font-semibold">No orders in these months.</p>} />;
  }
  return (
    <>
      <p className="mb-4 text-muted">
        Taxes by the address of the order. A refund counts in the month it was made. If it fails, it’s reversed in the
        month it failed. Sales are before tax, include shipping, and are net of refunds. Months follow the shop’s time
        zone.
      </p>
      <TaxTable report={report} />
    </>
  );
}

/** Exports the months of the report as CSV. */
function ExportButton({ report: { from, to } }: { report: TaxReport }) {
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");

  async function download() {
    setState("busy");
    try {
      downloadFile(await exportTaxReport(new URLSearchParams({ from, to })));
      setState("idle");
    } catch {
      setState("failed");
    }
  }

  return (
    <div className="no-print">
      <Button disabled={state === "busy"} onClick={() => void download()}>
        <Download aria-hidden className="size-5" />
        {state === "busy" ? "Exporting..." : "Export CSV"}
      </Button>
      {state === "failed" && <Notice kind="error">Failed to export taxes. Please try again later.</Notice>}
    </div>
  );
}
