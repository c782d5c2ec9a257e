import { fromAddress, type TypedAddress } from "../../shared/address-form";
import { findOrder, listOrders } from "../../shared/orders-api";

/** The shipping address of the last order, to prefill the form; undefined if it cannot be loaded. */
export async function findLastAddress(): Promise<TypedAddress | undefined> {
  try {
    const { orders } = await listOrders(new URLSearchParams({ page: "1", limit: "1" }));
    const last = orders[0];
    return last && fromAddress((await findOrder(last.id)).address);
  } catch {
    return undefined;
  }
}
