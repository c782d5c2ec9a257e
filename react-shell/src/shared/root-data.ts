import { useRouteLoaderData } from "react-router";
import type { Product } from "./rules";
import type { ShopConfig } from "./shop-config";

export const ROOT = "root";

/** Data of the root route, available on every page. */
export interface RootData {
  config: ShopConfig;
  products: Product[];
}

export function useRootData(): RootData {
  const data = useRouteLoaderData<RootData>(ROOT);
  if (data === undefined) throw new Error("The root loader has not run.");
  return data;
}
