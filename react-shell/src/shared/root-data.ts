import { useRouteLoaderData } from "react-router";
import type { Schema } from "./api-types";
import type { Product } from "./rules";
import type { ShopConfig } from "./shop-config";

export const ROOT = "root";

/**
 * The current products of the cart's lines by id; null for a product that is no longer listed. Empty if they could not be
 * loaded.
 */
export type CartProducts = ReadonlyMap<string, Product | null>;

/** Data of the root route, available on every page. */
export interface RootData {
  config: ShopConfig;
  /** Names for the Products menu. */
  menu: Schema<"ProductName">[];
  cartProducts: CartProducts;
}

export function useRootData(): RootData {
  const data = useRouteLoaderData<RootData>(ROOT);
  if (data === undefined) throw new Error("The root loader has not run.");
  return data;
}
