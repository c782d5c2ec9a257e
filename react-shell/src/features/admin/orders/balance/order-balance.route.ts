import type { LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../../shared/auth-guard";
import { findOrderBalance, type OrderBalance } from "./api";

/** Data for the order page. A failure only leaves it out. */
export async function loader({ params, request }: LoaderFunctionArgs): Promise<OrderBalance | null> {
  requireAdmin(request);
  return findOrderBalance(params["id"] ?? "").catch(() => null);
}
