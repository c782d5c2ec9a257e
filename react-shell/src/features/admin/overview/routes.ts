import type { RouteObject } from "react-router";

export const overviewRoutes: RouteObject[] = [{ path: "overview", lazy: () => import("./overview.route") }];
