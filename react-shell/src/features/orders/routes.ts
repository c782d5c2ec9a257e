import { redirect, type RouteObject } from "react-router";
import { paths } from "../../shared/paths";

export const orderRoutes: RouteObject[] = [
  { path: "orders", loader: () => redirect(paths.profileOrders), element: null },
  { path: "order/:id", lazy: () => import("./order.route") },
];
