import { findOrderWithArrival, type OrderWithArrival } from "../../shared/order-arrival";
import { listProducts } from "../cart/cart-products";

/** An order that was just placed, with the images of its products by product id. */
export interface PlacedOrderData extends OrderWithArrival {
  images: ReadonlyMap<string, string>;
}

/** A product that is no longer listed has no image; without any images, the order is still shown. */
export async function findPlacedOrder(id: string): Promise<PlacedOrderData> {
  const found = await findOrderWithArrival(id);
  const products = await listProducts(found.order.items.map((item) => item.product_id)).catch(() => []);
  return { ...found, images: new Map(products.map((product) => [product.id, product.image])) };
}
