import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { listOpenPayments } from "../../shared/open-payments";
import { findOrder } from "../../shared/orders-api";
import { paths } from "../../shared/paths";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { finishOrder } from "./finish-order";

interface RecoveredOrder {
  id: string;
  /** Undefined if the order exists but could not be loaded. */
  number: number | undefined;
}

/**
 * Recovers the orders of payments whose tab was closed before the success page, and removes their items from the cart.
 */
export default function RecoveredOrders({ userId }: { userId: string }) {
  const { revalidate } = useRevalidator();
  const [orders, setOrders] = useState<RecoveredOrder[]>([]);

  useEffect(() => {
    let isUnmounted = false;
    async function recover() {
      const results = await Promise.all(listOpenPayments(userId).map(({ intentId }) => findRecoveredOrder(intentId)));
      const found = results.filter((order) => order !== undefined);
      if (isUnmounted || found.length === 0) return;
      setOrders(found);
      // Reloads the page's data: the checkout, for one, was loaded with these items in the cart.
      await revalidate();
    }
    void recover();
    return () => {
      isUnmounted = true;
    };
  }, [userId, revalidate]);

  return orders.map((order) => (
    <div key={order.id} className="mx-auto mb-6 w-full max-w-6xl">
      <Notice kind="success">
        <ShopLink to={paths.order(order.id)} className="text-link">
          {order.number === undefined ? "Your order" : `Order ${order.number}`}
        </ShopLink>{" "}
        has been placed. Your payment went through, and a receipt is on its way to your email.
      </Notice>
    </div>
  ));
}

async function findRecoveredOrder(intentId: string): Promise<RecoveredOrder | undefined> {
  const result = await finishOrder(intentId);
  if (result.kind !== "ordered") return undefined;
  const order = await findOrder(result.orderId).catch(() => undefined);
  return { id: result.orderId, number: order?.number };
}
