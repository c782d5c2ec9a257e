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
      { path: "tracking-import", lazy: () => import("./tracking-import/tracking-import.route") },
      { path: "products", lazy: () => import("./admin-products.route") },
      { path: "money", lazy: () => import("./money/money.route") },
      { path: "money/:id", lazy: () => import("./money/payout.route") },
      { path: "order/:id/balance", lazy: () => import("./money/order-balance.route") },
      { path: "products/:id/stock", lazy: () => import("./stock-ledger.route") },
      { path: "customers", lazy: () => import("./customers.route") },
      { path: "customers/:id", lazy: () => import("./customer.route") },
      { path: "settings", lazy: () => import("./settings/settings.route") },
      { path: "settings/:policy", lazy: () => import("./settings/policy.route") },
      { path: "order/:id/neighbors", lazy: () => import("./order-navigation/neighbors.route") },
      { path: "taxes", lazy: () => import("./taxes/taxes.route") },
      { path: "order/:id", lazy: () => import("./admin-order.route") },
      { path: "*", loader: () => redirect(paths.adminOrders), element: null },
    ],
  },
];
