import { ArrowLeft, ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useFetcher, useSearchParams } from "react-router";
import { useNavigateTo } from "../../../../shared/use-navigate-to";
import { ShopLink } from "../../../../shared/ui/link";
import type { OrderNeighbors } from "../api";
import { withFilter } from "../order-filter";
import { useShortcuts } from "../../shared/use-shortcuts";
import { adminPaths } from "../../shared/paths";

const LINK = "inline-flex min-h-11 items-center gap-1 rounded-field px-2 hover:bg-line/60";

/** Links to the list that an order was opened from, and to the orders beside it there. The keys j and k follow them. */
export function OrderNavigation({ id }: { id: string }) {
  const [params] = useSearchParams();
  const { data, load } = useFetcher<OrderNeighbors>({ key: `neighbors-${id}` });
  const navigateTo = useNavigateTo();
  const neighbors = withFilter(`${adminPaths.order(id)}/neighbors`, params);
  const pathOf = (neighbor: string | undefined) => neighbor && withFilter(adminPaths.order(neighbor), params);
  const [previous, next] = [pathOf(data?.previous), pathOf(data?.next)];
  useEffect(() => {
    void load(neighbors);
  }, [load, neighbors]);
  useShortcuts({ j: () => next && navigateTo(next), k: () => previous && navigateTo(previous) });
  return (
    <nav aria-label="Orders" className="no-print -mx-2 flex min-h-11 flex-wrap items-center gap-x-2">
      <ShopLink to={withFilter(adminPaths.orders, params)} className={`${LINK} mr-auto`}>
        <ArrowLeft aria-hidden className="size-5" />
        All orders
      </ShopLink>
      <NeighborLink to={previous}>
        <ChevronLeft aria-hidden className="size-5" />
        Previous
      </NeighborLink>
      <NeighborLink to={next}>
        Next
        <ChevronRight aria-hidden className="size-5" />
      </NeighborLink>
    </nav>
  );
}

/** Grey and without a target where there is no order. */
function NeighborLink({ to, children }: { to: string | undefined; children: ReactNode }) {
  if (to === undefined || to === "")
    return <span className="inline-flex min-h-11 items-center gap-1 px-2 text-muted">{children}</span>;
  return (
    <ShopLink to={to} className={LINK}>
      {children}
    </ShopLink>
  );
}
