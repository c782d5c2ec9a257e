import { request } from "./api-client";
import type { Schema } from "./api-types";
import { firstPaint } from "./first-paint";
import { separatePublicPages } from "./paths";

/** What this shop is like while it runs: its name, who takes the money, who keeps bots out. */
export type ShopConfig = Schema<"PublicConfig">;
export type PaymentsConfig = Schema<"PaymentsConfig">;
export type AnalyticsConfig = Schema<"AnalyticsConfig">;

let loading: Promise<ShopConfig> | undefined;

/** Asked once for the life of the document; asked again only if it failed. */
export function loadConfig(): Promise<ShopConfig> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<ShopConfig> {
  const config = firstPaint()?.config ?? (await request<ShopConfig>("GET", "/api/config"));
  separatePublicPages(config.analytics.kind === "plausible");
  return config;
}
