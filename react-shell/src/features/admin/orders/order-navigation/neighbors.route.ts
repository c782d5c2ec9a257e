import type { LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../../shared/auth-guard";
import { findOrderNeighbors, type OrderNeighbors } from "../api";
import { filterOf } from "../order-filter";

/** Previous and next order of an order, for its page. Without them the page works, too. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<OrderNeighbors> {
  requireAdmin(request);
  return findOrderNeighbors(params["id"] ?? "", filterOf(new URL(request.url).searchParams)).catch(() => ({}));
}
