import { Download } from "lucide-react";
import { useState } from "react";
import { useLoaderData, useRouteError, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../../shared/api-client";
import { requireAdmin } from "../../../shared/auth-guard";
import { downloadFile } from "../../../shared/download-file";
import { Button } from "../../../shared/ui/button";
import { buttonClass } from "../../../shared/ui/button-class";
import { EmptyState } from "../../../shared/ui/empty-state";
import { ShopLink } from "../../../shared/ui/link";
import { Money } from "../../../shared/ui/money";
import { Notice } from "../../../shared/ui/notice";
import { Card, Page } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { RouteError } from "../../../shared/ui/route-error";
import { exportPayout, findPayout, type Payout, type PayoutDetails } from "./api";
import { Difference } from "./difference";
import { formatDay } from "../shared/format-day";
import { PAYOUT_PARTS, statusLabel } from "./payout-labels";
import { TransactionsTable } from "./transactions-table";
import { adminPaths } from "../shared/paths";

export async function loader({ params, request }: LoaderFunctionArgs): Promise<PayoutDetails> {
  requireAdmin(request);
  return findPayout(params["id"] ?? "", new URL(request.url).searchParams.get("page") || "1");
}

export function Component() {
  const { payout, transactions, page, totalPages, total } = useLoaderData<PayoutDetails>();
  const [hasFailed, setFailed] = useState(false);

  async function download() {
    setFailed(false);
    try {
      downloadFile(await exportPayout(payout.id));
    } catch {
      setFailed(true);
    }
  }

  return (
    <Page
      title={`Payout of ${formatDay(payout.arrival_date)}`}
      aside={
        <Button onClick={() => void download()}>
          <Download aria-hidden className="size-5" />
          Export CSV
        </Button>
      }
    >
      <div className="space-y-6">
        {hasFailed && <Notice kind="error">Failed to export the payout. Please try again later.</Notice>}
        <p>
          {statusLabel(payout.status)} · <span className="break-all text-muted">{payout.id}</span>
        </p>
        <Sums payout={payout} />
        {total > 0 && (
          <section aria-labelledby="transactions">
            <h2 id="transactions" className="mb-3 text-xl">
              Transactions
            </h2>
            <TransactionsTable
              caption={`Transactions, unexplained ones first, then newest first: ${total} in all`}
              transactions={transactions}
            />
            <Pagination page={page} totalPages={totalPages} />
          </section>
        )}
      </div>
    </Page>
  );
}

function Sums({ payout }: { payout: Payout }) {
  return (
    <Card>
      <h2 className="mb-4 text-xl">Sums</h2>
      <dl className="grid max-w-sm grid-cols-[1fr_auto] gap-x-6 gap-y-1">
        {PAYOUT_PARTS.map(({ label, member }) => (
          <Line key={member} label={label} amount={payout[member]} />
        ))}
        <dt className="border-t border-line pt-1 font-semibold">Amount</dt>
        <dd className="border-t border-line pt-1 text-right font-semibold">
          <Money amount={payout.amount} />
        </dd>
        <dt className="text-muted">Difference</dt>
        <dd className="text-right">
          <Difference amount={payout.difference} />
        </dd>
      </dl>
    </Card>
  );
}

function Line({ label, amount }: { label: string; amount: number }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="text-right">
        <Money amount={amount} />
      </dd>
    </>
  );
}

export function ErrorBoundary() {
  const error = useRouteError();
  const isUnknown = error instanceof ApiError && error.status === 404;
  return (
    <Page title="Payout">
      {isUnknown ? <PayoutNotFound /> : <RouteError message="Failed to fetch the payout. Please try again later." />}
    </Page>
  );
}

function PayoutNotFound() {
  return (
    <EmptyState
      title={
        <p role="alert" className="text-xl font-semibold">
          Payout not found.
        </p>
      }
      action={
        <ShopLink to={adminPaths.money} className={buttonClass("primary")}>
          All payouts
        </ShopLink>
      }
    />
  );
}
