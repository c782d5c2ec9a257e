import type { RouteObject } from "react-router";

export const accountRoutes: RouteObject[] = [
  { path: "register", lazy: () => import("./register.route") },
  { path: "login", lazy: () => import("./login.route") },
  { path: "login/code", lazy: () => import("./login-code.route") },
  { path: "second-factor", lazy: () => import("./second-factor.route") },
  { path: "undo-email-change", lazy: () => import("./undo-email-change.route") },
  { path: "confirm-email", lazy: () => import("./confirm-email.route") },
  { path: "forgot-password", lazy: () => import("./forgot-password.route") },
  { path: "confirm-forgot-password", lazy: () => import("./confirm-forgot-password.route") },
];
