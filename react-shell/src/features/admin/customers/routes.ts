import type { RouteObject } from "react-router";

export const customerRoutes: RouteObject[] = [
  { path: "customers", lazy: () => import("./customers.route") },
  { path: "customers/:id", lazy: () => import("./customer.route") },
];
