import { redirect, type RouteObject } from "react-router";
import { paths } from "../../shared/paths";

export const adminRoutes: RouteObject[] = [
  {
    path: "admin",
    lazy: () => import("./layout/admin-layout.route"),
    children: [
      { index: true, loader: () => redirect(paths.adminOrders), element: null },
      { path: "overview", lazy: () => import("./overview/overview.route") },
      { path: "orders", lazy: () => import("./orders/admin-orders.route") },
      { path: "packing-slips", lazy: () => import("./orders/packing-slips.route") },
      { path: "tracking-import", lazy: () => import("./orders/tracking-import/tracking-import.route") },
      { path: "products", lazy: () => import("./products/admin-products.route") },
      { path: "money", lazy: () => import("./money/money.route") },
      { path: "money/:id", lazy: () => import("./money/payout.route") },
      { path: "order/:id/balance", lazy: () => import("./orders/balance/order-balance.route") },
      { path: "products/:id/stock", lazy: () => import("./products/stock-ledger.route") },
      { path: "customers", lazy: () => import("./customers/customers.route") },
      { path: "customers/:id", lazy: () => import("./customers/customer.route") },
      { path: "settings", lazy: () => import("./settings/settings.route") },
      { path: "settings/:policy", lazy: () => import("./settings/policy.route") },
      { path: "order/:id/neighbors", lazy: () => import("./orders/order-navigation/neighbors.route") },
      { path: "taxes", lazy: () => import("./money/taxes/taxes.route") },
      { path: "order/:id", lazy: () => import("./orders/admin-order.route") },
      { path: "*", loader: () => redirect(paths.adminOrders), element: null },
    ],
  },
];
