import { loadEstimates } from "./estimates";
import { findOrder } from "./orders-api";
import type { Order } from "./rules";
import { loadConfig } from "./shop-config";

/** An order and when it is expected to arrive, as `Dec 2–7`. One that has arrived or was refunded has no arrival. */
export interface OrderWithArrival {
  order: Order;
  arrival?: string | undefined;
}

/** Loads an order with its arrival. Without an estimate, the order is still shown. */
export async function findOrderWithArrival(id: string): Promise<OrderWithArrival> {
  const [order, estimates, { delivery }] = await Promise.all([
    findOrder(id),
    loadEstimates().catch(() => undefined),
    loadConfig(),
  ]);
  if (order.status === "delivered" || order.status === "refunded") return { order };
  const country = order.address.address.country === "CA" ? "CA" : "US";
  return { order, arrival: estimates?.estimatedArrival(order.order_date_local, country, delivery) };
}
