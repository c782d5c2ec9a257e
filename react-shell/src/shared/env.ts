import { request } from "./api-client";
import type { Schema } from "./api-types";

/** What this shop is like while it runs: its name, who takes the money, who keeps bots out. */
export type ShopConfig = Schema<"PublicConfig">;
export type PaymentsConfig = Schema<"PaymentsConfig">;

let loading: Promise<ShopConfig> | undefined;

/** Asked once for the life of the document; asked again only if it failed. */
export function loadConfig(): Promise<ShopConfig> {
  loading ??= request<ShopConfig>("GET", "/api/config").catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
