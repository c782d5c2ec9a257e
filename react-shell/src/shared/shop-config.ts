import { request } from "./api-client";
import type { Schema } from "./api-types";
import { firstPaint } from "./first-paint";
import { isolatePublicPages } from "./paths";

/** Public configuration of the shop: its name, payment provider, captcha and analytics. */
export type ShopConfig = Schema<"PublicConfig">;
export type PaymentsConfig = Schema<"PaymentsConfig">;
export type AnalyticsConfig = Schema<"AnalyticsConfig">;

let loading: Promise<ShopConfig> | undefined;

/** Loads the configuration once per document. A failed request is retried on the next call. */
export function loadConfig(): Promise<ShopConfig> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Makes the next call load the configuration again, after a change of the settings. */
export function forgetConfig(): void {
  loading = undefined;
}

async function load(): Promise<ShopConfig> {
  const config = firstPaint()?.config ?? (await request<ShopConfig>("GET", "/api/config"));
  if (config.analytics.kind === "plausible") isolatePublicPages();
  return config;
}
