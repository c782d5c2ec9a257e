import type { RouteObject } from "react-router";

export const settingRoutes: RouteObject[] = [
  { path: "settings", lazy: () => import("./settings.route") },
  { path: "settings/:policy", lazy: () => import("./policy.route") },
];
