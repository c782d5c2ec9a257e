import { createBrowserRouter, type DataRouter, type RouteObject } from "react-router";
import { accountRoutes } from "../features/account/routes";
import { adminRoutes } from "../features/admin/routes";
import { cartRoutes } from "../features/cart/routes";
import { catalogRoutes } from "../features/catalog/routes";
import { checkoutRoutes } from "../features/checkout/routes";
import { companyRoutes } from "../features/company/routes";
import { homeRoutes } from "../features/home/routes";
import { orderRoutes } from "../features/orders/routes";
import { profileRoutes } from "../features/profile/routes";
import { recipeRoutes } from "../features/recipes/routes";
import { ROOT } from "../shared/root-data";
import { ErrorPage } from "./error-page";
import { RootLayout, loader, shouldRevalidate } from "./root-layout";

export const routes: RouteObject[] = [
  {
    id: ROOT,
    path: "/",
    loader,
    shouldRevalidate,
    Component: RootLayout,
    ErrorBoundary: ErrorPage,
    HydrateFallback: EmptyFallback,
    children: [
      {
        // The frame stays when a page fails.
        ErrorBoundary: ErrorPage,
        children: [
          ...homeRoutes,
          ...companyRoutes,
          ...recipeRoutes,
          ...catalogRoutes,
          ...cartRoutes,
          ...accountRoutes,
          ...profileRoutes,
          ...orderRoutes,
          ...checkoutRoutes,
          ...adminRoutes,
        ],
      },
    ],
  },
];

/** While the first page loads, the server-rendered page stays visible. */
function EmptyFallback() {
  return null;
}

export function createRouter(): DataRouter {
  return createBrowserRouter(routes);
}
