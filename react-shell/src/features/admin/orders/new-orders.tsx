import { useEffect, useState } from "react";
import { NEW_ORDERS_POLL_MS } from "../../../shared/timings";
import { ShopLink } from "../../../shared/ui/link";
import { getOrderCounts, type OrderCounts } from "./api";
import { adminPaths } from "../shared/paths";

/** Number of orders that have come since the list was loaded, with the counts of that time. Also polls in a hidden tab. */
export function useNewOrders(listed: Promise<OrderCounts>): number {
  const [found, setFound] = useState<{ since: Promise<OrderCounts>; count: number }>();
  useEffect(() => {
    async function poll() {
      try {
        const [{ all: before }, { all }] = await Promise.all([listed, getOrderCounts()]);
        setFound({ since: listed, count: all - before });
      } catch {
        // The next poll may succeed.
      }
    }

    const timer = setInterval(() => void poll(), NEW_ORDERS_POLL_MS);
    return () => clearInterval(timer);
  }, [listed]);
  return found?.since === listed ? found.count : 0;
}

/** Tells of new orders in a line that is always there, so that nothing moves under the pointer. */
export function NewOrders({ count }: { count: number }) {
  return (
    <p role="status" className="h-6 text-sm">
      {count > 0 && (
        <>
          {`${count.toLocaleString("en-US")} new ${count === 1 ? "order" : "orders"} – `}
          <ShopLink to={adminPaths.orders} className="text-link inline-block min-h-6 font-medium">
            Show
          </ShopLink>
        </>
      )}
    </p>
  );
}
