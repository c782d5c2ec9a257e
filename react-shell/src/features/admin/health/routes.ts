import type { RouteObject } from "react-router";

export const healthRoutes: RouteObject[] = [{ path: "health", lazy: () => import("./health.route") }];
