import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { deferred } from "../../../shared/deferred";
import { Deferred } from "../../../shared/ui/deferred";
import { EmptyState } from "../../../shared/ui/empty-state";
import { Page } from "../../../shared/ui/page";
import { Pagination } from "../../../shared/ui/pagination";
import { RouteError } from "../../../shared/ui/route-error";
import { TableSkeleton } from "../../../shared/ui/skeleton";
import { listPayouts, type PayoutPage } from "./api";
import { JournalExport } from "./journal-export";
import { PayoutsTable } from "./payouts-table";
import { UnmatchedOrders } from "./unmatched-orders";
import { UnexplainedTransactions } from "./unexplained-transactions";

interface Loaded {
  payouts: Promise<PayoutPage>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  return { payouts: deferred(listPayouts(new URL(request.url).searchParams.get("page") || "1")) };
}

export function Component() {
  const { payouts } = useLoaderData<Loaded>();
  return (
    <Page title="Money" aside={<JournalExport />}>
      <Deferred
        data={payouts}
        skeleton={<TableSkeleton rows={5} columns={4} lines={2} />}
        failure={<RouteError message="Failed to fetch payouts. Please try again later." />}
      >
        {(page) => <Payouts page={page} />}
      </Deferred>
    </Page>
  );
}

function Payouts({ page }: { page: PayoutPage }) {
  return (
    <div className="space-y-8">
      <UnmatchedOrders orders={page.unmatched_orders} total={page.total_unmatched_orders} />
      <UnexplainedTransactions transactions={page.unexplained} total={page.total_unexplained} />
      {page.total === 0 ? (
        <EmptyState
          title={<h2 className="text-xl">No payouts yet</h2>}
          text="A payout appears here within ten minutes after Stripe sends it to your bank."
        />
      ) : (
        <section aria-labelledby="payouts">
          <h2 id="payouts" className="mb-3 text-xl">
            Payouts
          </h2>
          <PayoutsTable payouts={page.payouts} />
          <Pagination page={page.page} totalPages={page.totalPages} />
        </section>
      )}
    </div>
  );
}
