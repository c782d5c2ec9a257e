import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { useFocusRestore } from "../../../shared/focus";
import { fieldValue, type FormResult } from "../../../shared/form-result";
import { useRootData } from "../../../shared/root-data";
import { formatMoney } from "../../../shared/rules";
import { deferred } from "../../../shared/deferred";
import { requireAdmin } from "../../../shared/auth-guard";
import { Deferred } from "../../../shared/ui/deferred";
import { Money } from "../../../shared/ui/money";
import { Card, Page } from "../../../shared/ui/page";
import { RouteError } from "../../../shared/ui/route-error";
import { SkeletonLine } from "../../../shared/ui/skeleton";
import { getOverview } from "./api";
import { type Overview } from "../shared/api";
import { BarChart } from "./bar-chart";
import { OpenDisputes } from "./open-disputes";
import { AlertList, LowStock, OpenOrders, TopPages, TopProducts } from "./overview-lists";
import { resolveAlert } from "../shared/resolve-alert";

interface Loaded {
  overview: Promise<Overview>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  return { overview: deferred(getOverview()) };
}

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  requireAdmin(request);
  return resolveAlert(fieldValue(await request.formData(), "id"));
}

export function Component() {
  const { overview } = useLoaderData<Loaded>();
  return (
    <Page title="Overview">
      <Deferred
        data={overview}
        skeleton={<OverviewSkeleton />}
        failure={<RouteError message="Failed to fetch the overview. Please try again later." />}
      >
        {(loaded) => <OverviewContent overview={loaded} />}
      </Deferred>
    </Page>
  );
}

function OverviewContent({ overview }: { overview: Overview }) {
  const { days } = overview;
  useFocusRestore(overview.alerts.length);
  // With other analytics, or none, this shop has no page views to show.
  const tracksPageViews = useRootData().config.analytics.kind === "builtin";
  const best = Math.max(...days.map(({ sales }) => sales), 0);
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <AlertList entries={overview.alerts} />
      <OpenDisputes disputes={overview.disputes} />
      <div className="grid gap-6 sm:grid-cols-3 md:col-span-2">
        <SalesCard title="Today" {...overview.today} />
        <SalesCard title="Last 7 days" {...overview.last_7_days} />
        <SalesCard title="Last 30 days" {...overview.last_30_days} />
        <p className="text-sm text-muted sm:col-span-3">
          Sales are net of refunds. Fully refunded orders are excluded; partially refunded orders count with the
          remaining amount. Days follow the shop’s time zone.
        </p>
      </div>
      <Card className={tracksPageViews ? "" : "md:col-span-2"}>
        <ChartHeading title="Sales by day" aside={`best day ${formatMoney(best)}`} />
        <BarChart
          title="Sales in the last 30 days"
          days={days.map(({ day, sales, orders }) => ({
            day,
            value: sales,
            label: `${formatMoney(sales)}, ${pluralize(orders, "order")}`,
          }))}
        />
      </Card>
      {tracksPageViews && <PageViews days={days} />}
      <OpenOrders counts={overview.open_orders} />
      <LowStock products={overview.low_stock} />
      <TopProducts products={overview.top_products} />
      {tracksPageViews && <TopPages pages={overview.top_pages} />}
    </div>
  );
}

function PageViews({ days }: Pick<Overview, "days">) {
  const all = days.reduce((sum, { page_views: pageViews }) => sum + pageViews, 0);
  return (
    <Card>
      <ChartHeading title="Page views by day" aside={`${pluralize(all, "view")} in 30 days`} />
      <BarChart
        title="Page views in the last 30 days"
        days={days.map(({ day, page_views: pageViews }) => ({
          day,
          value: pageViews,
          label: pluralize(pageViews, "view"),
        }))}
      />
    </Card>
  );
}

function ChartHeading({ title, aside }: { title: string; aside: string }) {
  return (
    <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4">
      <h2 className="text-xl">{title}</h2>
      <p className="text-sm text-muted tabular-nums">{aside}</p>
    </div>
  );
}

function SalesCard({ title, sales, orders }: { title: string; sales: number; orders: number }) {
  return (
    <Card>
      <h2 className="text-base font-normal text-muted">{title}</h2>
      <p className="text-2xl font-semibold">
        <Money amount={sales} />
      </p>
      <p className="text-muted">{pluralize(orders, "order")}</p>
    </Card>
  );
}

function pluralize(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? noun : `${noun}s`}`;
}

/** Placeholder with the size of the loaded overview. */
function OverviewSkeleton() {
  return (
    <div role="status" className="grid gap-6 md:grid-cols-2">
      <span className="sr-only">Loading…</span>
      <div aria-hidden className="grid gap-6 sm:grid-cols-3 md:col-span-2">
        {["today", "week", "month"].map((span) => (
          <Card key={span} className="h-[8.25rem]">
            <SkeletonLine />
          </Card>
        ))}
        <div className="h-5 sm:col-span-3" />
      </div>
      {["sales", "views", "orders", "stock"].map((card) => (
        <Card key={card} className="h-56">
          <SkeletonLine className="w-40" />
        </Card>
      ))}
    </div>
  );
}
