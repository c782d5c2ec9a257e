import { redirect, type RouteObject } from "react-router";
import { customerRoutes } from "./customers/routes";
import { healthRoutes } from "./health/routes";
import { moneyRoutes } from "./money/routes";
import { orderRoutes } from "./orders/routes";
import { overviewRoutes } from "./overview/routes";
import { productRoutes } from "./products/routes";
import { settingRoutes } from "./settings/routes";
import { adminPaths } from "./shared/paths";

const toOrders = { loader: () => redirect(adminPaths.orders), element: null };

export const adminRoutes: RouteObject[] = [
  {
    path: "admin",
    lazy: () => import("./layout/admin-layout.route"),
    children: [
      { index: true, ...toOrders },
      ...overviewRoutes,
      ...orderRoutes,
      ...productRoutes,
      ...customerRoutes,
      ...moneyRoutes,
      ...settingRoutes,
      ...healthRoutes,
      { path: "*", ...toOrders },
    ],
  },
];
