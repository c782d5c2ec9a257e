import type { RouteObject } from "react-router";

export const moneyRoutes: RouteObject[] = [
  { path: "money", lazy: () => import("./money.route") },
  { path: "money/:id", lazy: () => import("./payout.route") },
  { path: "taxes", lazy: () => import("./taxes/taxes.route") },
];
