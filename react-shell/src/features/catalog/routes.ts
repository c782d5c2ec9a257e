import type { RouteObject } from "react-router";

export const catalogRoutes: RouteObject[] = [
  { path: "products", lazy: () => import("./products.route") },
  { path: "back-in-stock", lazy: () => import("./back-in-stock.route") },
  { path: "products/:name", lazy: () => import("./product.route") },
];
