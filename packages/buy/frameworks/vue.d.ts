/**
 * The element with its types for templates in Vue 3. The compiler needs the option `isCustomElement`, too.
 *
 * @example
 * import "@nudgelight/buy/vue";
 *
 * @module
 */
import type { HTMLAttributes } from "vue";
import type { NudgelightBuy, NudgelightBuyAttributes } from "./index.js";

export * from "./index.js";

declare module "vue" {
  interface GlobalComponents {
    "nudgelight-buy": new () => NudgelightBuy & { $props: HTMLAttributes & NudgelightBuyAttributes };
  }
}
