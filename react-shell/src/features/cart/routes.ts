import type { RouteObject } from "react-router";

export const cartRoutes: RouteObject[] = [{ path: "cart", lazy: () => import("./cart.route") }];
