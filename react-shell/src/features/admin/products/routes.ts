import type { RouteObject } from "react-router";

export const productRoutes: RouteObject[] = [
  { path: "products", lazy: () => import("./admin-products.route") },
  { path: "products/:id/stock", lazy: () => import("./stock-ledger.route") },
];
