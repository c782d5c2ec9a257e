import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useFetcher } from "react-router";
import type { FormResult } from "../../../shared/form-result";
import { formatDate, orderStatusLabel } from "../../../shared/rules";
import { StockBadge } from "../../../shared/ui/badge";
import { Button } from "../../../shared/ui/button";
import { ShopLink } from "../../../shared/ui/link";
import { Card } from "../../../shared/ui/page";
import type { Alert, Overview } from "../shared/api";
import { adminPaths, ORDERS_ON_HOLD, ORDERS_TO_PACK, ORDERS_TO_SHIP } from "../shared/paths";

/** The open alerts; renders nothing if there are none. */
export function AlertList({ entries }: { entries: Alert[] }) {
  if (entries.length === 0) return null;
  return (
    <Card className="border-warn md:col-span-2">
      <h2 className="mb-3 flex items-center gap-2 text-xl">
        <TriangleAlert aria-hidden className="size-5 text-warn" />
        Alerts
      </h2>
      <ul>
        {entries.map((entry) => (
          <AlertEntry key={entry.id} entry={entry} />
        ))}
      </ul>
    </Card>
  );
}

function AlertEntry({ entry }: { entry: Alert }) {
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  return (
    <li className="flex items-center justify-between gap-x-6 gap-y-2 border-t border-line py-3 first:border-0 max-sm:flex-wrap">
      <div className="min-w-0">
        <p className="break-words">
          {entry.order !== undefined && (
            <ShopLink to={adminPaths.order(entry.order.id)} className="text-link mr-2">
              Order {entry.order.number}
            </ShopLink>
          )}
          {entry.message}
        </p>
        <p className="text-sm text-muted">{formatDate(entry.created_at_local)}</p>
        {!isBusy && fetcher.data?.kind === "failed" && (
          <p role="alert" className="text-sm text-bad">
            {fetcher.data.message}
          </p>
        )}
      </div>
      <fetcher.Form method="post" className="shrink-0">
        <input type="hidden" name="id" value={entry.id} />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? "Saving..." : "Resolve"}
          <span className="sr-only">: {entry.message}</span>
        </Button>
      </fetcher.Form>
    </li>
  );
}

const OPEN: { count: keyof Overview["open_orders"]; filter: Record<string, string> }[] = [
  { count: "pending", filter: ORDERS_TO_PACK },
  { count: "processing", filter: ORDERS_TO_SHIP },
  { count: "held", filter: ORDERS_ON_HOLD },
  { count: "shipped", filter: { status: "shipped" } },
];

export function OpenOrders({ counts }: { counts: Overview["open_orders"] }) {
  return (
    <List title="Open orders" empty="">
      {OPEN.map(({ count, filter }) => (
        <Row key={count} count={counts[count].toLocaleString("en-US")}>
          <ShopLink to={adminPaths.ordersWith(filter)} className="text-link">
            {count === "held" ? "On hold" : orderStatusLabel(count)}
          </ShopLink>
        </Row>
      ))}
    </List>
  );
}

export function LowStock({ products }: { products: Overview["low_stock"] }) {
  return (
    <List title="Low stock" empty="No low-stock products.">
      {products.map((product) => (
        <Row key={product.id} count={`${product.available} left`} badge={<StockBadge available={product.available} />}>
          <ShopLink to={adminPaths.stock(product.id)} className="text-link">
            {product.name}
          </ShopLink>
        </Row>
      ))}
    </List>
  );
}

export function TopProducts({ products }: { products: Overview["top_products"] }) {
  return (
    <List title="Best sellers, last 30 days" empty="No sales in the last 30 days.">
      {products.map(({ id, name, sold }) => (
        <Row key={id} count={`${sold.toLocaleString("en-US")} sold`}>
          {name}
        </Row>
      ))}
    </List>
  );
}

export function TopPages({ pages }: { pages: Overview["top_pages"] }) {
  return (
    <List title="Most viewed pages, last 30 days" empty="No page views in the last 30 days.">
      {pages.map(({ path, views }) => (
        <Row key={path} count={views.toLocaleString("en-US")}>
          {path}
        </Row>
      ))}
    </List>
  );
}

function List({ title, empty, children }: { title: string; empty: string; children: ReactNode[] }) {
  return (
    <Card>
      <h2 className="mb-3 text-xl">{title}</h2>
      {children.length === 0 ? <p className="text-muted">{empty}</p> : <ul>{children}</ul>}
    </Card>
  );
}

function Row({ count, badge, children }: { count: string; badge?: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 border-t border-line py-2.5 first:border-0">
      <span className="max-w-full grow break-words">{children}</span>
      {badge}
      <span className="shrink-0 text-right tabular-nums">{count}</span>
    </li>
  );
}
