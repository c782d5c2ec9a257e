import { redirect, type RouteObject } from "react-router";
import { paths } from "../../shared/paths";

export const adminRoutes: RouteObject[] = [
  {
    path: "admin",
    lazy: () => import("./admin-layout.route"),
    children: [
      { index: true, loader: () => redirect(paths.adminOrders), element: null },
      { path: "overview", lazy: () => import("./overview.route") },
      { path: "orders", lazy: () => import("./admin-orders.route") },
      { path: "packing-slips", lazy: () => import("./packing-slips.route") },
      { path: "products", lazy: () => import("./admin-products.route") },
      { path: "money", lazy: () => import("./money/money.route") },
      { path: "money/:id", lazy: () => import("./money/payout.route") },
      { path: "order/:id/balance", lazy: () => import("./money/order-balance.route") },
      { path: "order/:id", lazy: () => import("./admin-order.route") },
      { path: "*", loader: () => redirect(paths.adminOrders), element: null },
    ],
  },
];
