import type { RouteObject } from "react-router";

export const checkoutRoutes: RouteObject[] = [
  { path: "checkout", lazy: () => import("./checkout.route") },
  { path: "checkout/success", lazy: () => import("./success.route") },
];
