import type { RouteObject } from "react-router";

export const orderRoutes: RouteObject[] = [
  { path: "orders", lazy: () => import("./admin-orders.route") },
  { path: "order/:id", lazy: () => import("./admin-order.route") },
  { path: "order/:id/balance", lazy: () => import("./balance/order-balance.route") },
  { path: "order/:id/neighbors", lazy: () => import("./order-navigation/neighbors.route") },
  { path: "packing-slips", lazy: () => import("./packing-slips.route") },
  { path: "tracking-import", lazy: () => import("./tracking-import/tracking-import.route") },
];
