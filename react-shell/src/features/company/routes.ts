import type { RouteObject } from "react-router";

export const companyRoutes: RouteObject[] = [
  { path: "about", lazy: () => import("./about.route") },
  { path: "tutorial", lazy: () => import("./tutorial.route") },
  { path: "contact", lazy: () => import("./contact.route") },
  { path: "privacy", lazy: () => import("./privacy.route") },
  { path: "terms", lazy: () => import("./terms.route") },
  { path: "shipping-and-returns", lazy: () => import("./shipping-and-returns.route") },
];
