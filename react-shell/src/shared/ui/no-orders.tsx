import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { buttonClass } from "./button-class";
import { EmptyState } from "./empty-state";
import { ShopLink } from "./link";

interface Props {
  /** The way on if there are no orders at all, without a filter. */
  action?: ReactNode;
}

/** An empty list of orders. With a filter, the way on is the list without it. */
export function NoOrders({ action }: Props) {
  const { pathname, search } = useLocation();
  const showAll = (
    <ShopLink to={pathname} className={buttonClass("primary")}>
      Show All Orders
    </ShopLink>
  );
  return (
    <EmptyState
      title={<p className="text-xl font-semibold">No orders found for the selected criteria.</p>}
      action={search === "" ? action : showAll}
    />
  );
}
