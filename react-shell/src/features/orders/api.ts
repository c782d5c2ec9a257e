import type { Order } from "../../shared/rules";
import { requestSignedIn } from "../../shared/signed-in";

export const findOrder = (id: string) => requestSignedIn<Order>("GET", `/api/orders/${encodeURIComponent(id)}`);
