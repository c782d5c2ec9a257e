import type { RouteObject } from "react-router";

export const homeRoutes: RouteObject[] = [
  { index: true, lazy: () => import("./home.route") },
  // Any unknown path shows the home page.
  { path: "*", lazy: () => import("./home.route") },
];
