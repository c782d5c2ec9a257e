import { useRouteLoaderData } from "react-router";
import type { ShopConfig } from "./env";
import type { Product } from "./rules";

export const ROOT = "root";

/** What every page may use: how this shop is set up, and what it sells. */
export interface RootData {
  config: ShopConfig;
  products: Product[];
}

export function useRootData(): RootData {
  const data = useRouteLoaderData<RootData>(ROOT);
  if (data === undefined) throw new Error("The root loader has not run.");
  return data;
}
