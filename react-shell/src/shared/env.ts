import { request } from "./api-client";
import type { ShippingRates } from "./rules";

/** What this shop is like while it runs: its name, who takes the money, who keeps bots out. */
export interface ShopConfig {
  shopName: string;
  supportEmail: string;
  testMode: boolean;
  payments: PaymentsConfig;
  botCheck: BotCheckConfig;
  analytics: AnalyticsConfig;
  shippingRates: ShippingRates;
}

export interface PaymentsConfig {
  kind: "stripe" | "test";
  publishableKey: string;
  apiBase: string;
}

export interface BotCheckConfig {
  kind: "pow" | "recaptcha" | "turnstile" | "off";
  siteKey: string | null;
}

export interface AnalyticsConfig {
  kind: "builtin" | "plausible" | "off";
  site: string | null;
  url: string | null;
}

let loading: Promise<ShopConfig> | undefined;

/** Asked once for the life of the document; asked again only if it failed. */
export function loadConfig(): Promise<ShopConfig> {
  loading ??= request<ShopConfig>("GET", "/api/config").catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}
