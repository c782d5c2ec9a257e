import { Link, useSearchParams } from "react-router";
import { TAB } from "../../../shared/ui/tab";
import type { OrderCounts } from "./api";
import { adminPaths, ORDERS_ON_HOLD, ORDERS_TO_PACK, ORDERS_TO_SHIP } from "../shared/paths";

const TABS: { name: string; count: keyof OrderCounts; filter: Record<string, string> }[] = [
  { name: "All", count: "all", filter: {} },
  { name: "To pack", count: "pending", filter: ORDERS_TO_PACK },
  { name: "To ship", count: "processing", filter: ORDERS_TO_SHIP },
  { name: "On hold", count: "held", filter: ORDERS_ON_HOLD },
  { name: "Alerts", count: "open_alerts", filter: { open_alerts: "true" } },
];

/** Tabs of the order list, each a filter with the number of its orders. */
export function OrderTabs({ counts }: { counts?: OrderCounts }) {
  const [params] = useSearchParams();
  const isCurrent = (filter: Record<string, string>) =>
    ["status", "held", "open_alerts"].every((name) => (params.get(name) ?? "") === (filter[name] ?? ""));
  return (
    <nav aria-label="Order lists" className="flex flex-wrap border-b border-line">
      {TABS.map(({ name, count, filter }) => (
        <Link
          key={name}
          to={Object.keys(filter).length === 0 ? adminPaths.orders : adminPaths.ordersWith(filter)}
          aria-current={isCurrent(filter) ? "page" : undefined}
          className={`${TAB} gap-2 whitespace-nowrap max-sm:gap-1 max-sm:px-2`}
        >
          {name}
          {/* Keeps its width while the counts load. */}
          <span className="min-w-6 rounded-full bg-line/70 px-2 text-center text-sm tabular-nums">
            {counts?.[count].toLocaleString("en-US")}
          </span>
        </Link>
      ))}
    </nav>
  );
}
