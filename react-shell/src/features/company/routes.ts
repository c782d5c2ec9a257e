import type { RouteObject } from "react-router";
import { textPage } from "./text-page";
import { ScheduleLab, Tutorial } from "./tutorial";

const policy = () => import("./policy.route");

export const companyRoutes: RouteObject[] = [
  { path: "about", Component: textPage("about", (shopName) => `About ${shopName}`) },
  { path: "tutorial", Component: Tutorial },
  { path: "schedule-lab", Component: ScheduleLab },
  { path: "contact", lazy: policy },
  { path: "privacy", lazy: policy },
  { path: "terms", lazy: policy },
  { path: "shipping-and-returns", lazy: policy },
];
