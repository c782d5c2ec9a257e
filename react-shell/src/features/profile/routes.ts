import type { RouteObject } from "react-router";

export const profileRoutes: RouteObject[] = [
  {
    path: "profile",
    lazy: () => import("./profile-layout.route"),
    children: [
      { index: true, lazy: () => import("./profile.route") },
      { path: "orders", lazy: () => import("./profile-orders.route") },
      { path: "settings", lazy: () => import("./settings.route") },
    ],
  },
];
