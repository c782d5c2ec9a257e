import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { openPaymentsOf } from "../../shared/open-payments";
import { findOrder } from "../../shared/own-orders";
import { paths } from "../../shared/paths";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { finishOrder } from "./finish-order";

interface PlacedOrder {
  id: string;
  /** Undefined when the order is there but could not be loaded. */
  number: number | undefined;
}

/** Reports the orders of payments whose tab was closed before their success page, and takes their items out of the cart. */
export default function PlacedOrders({ userId }: { userId: string }) {
  const { revalidate } = useRevalidator();
  const [orders, setOrders] = useState<PlacedOrder[]>([]);

  useEffect(() => {
    let isGone = false;
    async function ask() {
      const placed = await Promise.all(openPaymentsOf(userId).map(({ intentId }) => findPlaced(intentId)));
      const found = placed.filter((order) => order !== undefined);
      if (isGone || found.length === 0) return;
      setOrders(found);
      // A page that was loaded with these items in the cart, like the checkout, is loaded again without them.
      await revalidate();
    }
    void ask();
    return () => {
      isGone = true;
    };
  }, [userId, revalidate]);

  return orders.map((order) => (
    <div key={order.id} className="mx-auto mb-6 w-full max-w-6xl">
      <Notice kind="ok">
        <ShopLink to={paths.order(order.id)} className={TEXT_LINK}>
          {order.number === undefined ? "Your order" : `Order ${order.number}`}
        </ShopLink>{" "}
        is placed. Your payment went through, and a receipt is on its way to you by email.
      </Notice>
    </div>
  ));
}

async function findPlaced(intentId: string): Promise<PlacedOrder | undefined> {
  const finished = await finishOrder(intentId);
  if (finished.kind !== "ordered") return undefined;
  const order = await findOrder(finished.orderId).catch(() => undefined);
  return { id: finished.orderId, number: order?.number };
}
