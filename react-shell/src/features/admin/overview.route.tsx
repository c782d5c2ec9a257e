import { useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { useFocusKept } from "../../shared/focus";
import { text, type Outcome } from "../../shared/outcome";
import { useRootData } from "../../shared/root-data";
import { formatMoney } from "../../shared/rules";
import { onItsWay } from "../../shared/on-its-way";
import { requireAdmin } from "../../shared/signed-in";
import { Deferred } from "../../shared/ui/deferred";
import { Money } from "../../shared/ui/money";
import { Card, Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { SkeletonLine } from "../../shared/ui/skeleton";
import { getOverview, type Overview } from "./api";
import { BarChart } from "./bar-chart";
import { AttentionList, LowStock, OpenOrders, TopPages, TopProducts } from "./overview-lists";
import { settle } from "./settle-attention";

interface Loaded {
  overview: Promise<Overview>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireAdmin(request);
  return { overview: onItsWay(getOverview()) };
}

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  requireAdmin(request);
  return settle(text(await request.formData(), "id"));
}

export function Component() {
  const { overview } = useLoaderData<Loaded>();
  return (
    <Page title="Overview">
      <Deferred
        data={overview}
        skeleton={<Waiting />}
        failure={<RouteError message="Failed to fetch the overview. Please try again later." />}
      >
        {(loaded) => <Figures overview={loaded} />}
      </Deferred>
    </Page>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { days } = overview;
  useFocusKept(overview.attention.length);
  // Another service that counts, or none at all: then these counts would be of nothing.
  const countsViews = useRootData().config.analytics.kind === "builtin";
  const best = Math.max(...days.map(({ sales }) => sales), 0);
  return (
    <div className="grid gap-6 md:grid-cols-2">
      <AttentionList entries={overview.attention} />
      <div className="grid gap-6 sm:grid-cols-3 md:col-span-2">
        <Sales title="Today" {...overview.today} />
        <Sales title="Last 7 days" {...overview.last7Days} />
        <Sales title="Last 30 days" {...overview.last30Days} />
        <p className="text-sm text-muted sm:col-span-3">
          Sales are less refunds. Orders refunded in full are not counted; partly refunded orders count with what
          remains. Days are UTC.
        </p>
      </div>
      <Card className={countsViews ? "" : "md:col-span-2"}>
        <ChartHeading title="Sales by day" aside={`at most ${formatMoney(best)}`} />
        <BarChart
          title="Sales of the last 30 days"
          days={days.map(({ day, sales, orders }) => ({
            day,
            value: sales,
            label: `${formatMoney(sales)}, ${counted(orders, "order")}`,
          }))}
        />
      </Card>
      {countsViews && <PageViews days={days} />}
      <OpenOrders counts={overview.openOrders} />
      <LowStock products={overview.lowStock} />
      <TopProducts products={overview.topProducts} />
      {countsViews && <TopPages pages={overview.topPages} />}
    </div>
  );
}

function PageViews({ days }: Pick<Overview, "days">) {
  const all = days.reduce((sum, { pageViews }) => sum + pageViews, 0);
  return (
    <Card>
      <ChartHeading title="Page views by day" aside={`${counted(all, "view")} in 30 days`} />
      <BarChart
        title="Page views of the last 30 days"
        days={days.map(({ day, pageViews }) => ({ day, value: pageViews, label: counted(pageViews, "view") }))}
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

function Sales({ title, sales, orders }: { title: string; sales: number; orders: number }) {
  return (
    <Card>
      <h2 className="text-base font-normal text-muted">{title}</h2>
      <p className="text-2xl font-semibold">
        <Money amount={sales} />
      </p>
      <p className="text-muted">{counted(orders, "order")}</p>
    </Card>
  );
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? what : `${what}s`}`;
}

/** As large as the figures that will come. */
function Waiting() {
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
