import type { RouteObject } from "react-router";

export const recipeRoutes: RouteObject[] = [
  { path: "schedules", lazy: () => import("./recipes.route") },
  { path: "schedules/:slug", lazy: () => import("./recipe.route") },
];
