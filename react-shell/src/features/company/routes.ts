import type { RouteObject } from "react-router";
import { textPage } from "./text-page";
import { Tutorial } from "./tutorial";

export const companyRoutes: RouteObject[] = [
  { path: "about", Component: textPage("about", (shopName) => `About ${shopName}`) },
  { path: "tutorial", Component: Tutorial },
  { path: "contact", Component: textPage("contact", () => "Contact") },
  { path: "privacy", Component: textPage("privacy", () => "Privacy") },
  { path: "terms", Component: textPage("terms", () => "Terms") },
  { path: "shipping-and-returns", Component: textPage("shipping-and-returns", () => "Shipping and Returns") },
];
