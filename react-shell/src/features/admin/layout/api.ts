import { listOrders } from "../shared/api";

export const findOrderByNumber = async (number: string) =>
  (await listOrders(new URLSearchParams({ numbers: number }))).orders.at(0);
