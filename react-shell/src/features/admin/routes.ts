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
      { path: "taxes", lazy: () => import("./taxes/taxes.route") },
      { path: "order/:id", lazy: () => import("./admin-order.route") },
      { path: "*", loader: () => redirect(paths.adminOrders), element: null },
    ],
  },
];
