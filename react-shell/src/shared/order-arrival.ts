import { loadEstimates } from "./estimates";
import { findOrder } from "./orders-api";
import { listProducts } from "./products-api";
import type { Order } from "./rules";
import { loadConfig } from "./shop-config";

/**
 * An order, when it is expected to arrive, as `Dec 2–7`, and the images of its products by product id. One that has
 * arrived or was refunded has no arrival, and a product that is no longer listed has no image.
 */
export interface OrderWithArrival {
  order: Order;
  arrival?: string | undefined;
  images: ReadonlyMap<string, string>;
}

/** Loads an order with its arrival and images. Without them, the order is still shown. */
export async function findOrderWithArrival(id: string): Promise<OrderWithArrival> {
  const [order, estimates, { delivery }] = await Promise.all([
    findOrder(id),
    loadEstimates().catch(() => undefined),
    loadConfig(),
  ]);
  const images = await findImages(order);
  if (order.status === "delivered" || order.status === "refunded") return { order, images };
  const country = order.address.address.country === "CA" ? "CA" : "US";
  return { order, images, arrival: estimates?.estimatedArrival(order.order_date_local, country, delivery) };
}

async function findImages(order: Order): Promise<ReadonlyMap<string, string>> {
  const products = await listProducts(order.items.map((item) => item.product_id)).catch(() => []);
  return new Map(products.map((product) => [product.id, product.image]));
}
