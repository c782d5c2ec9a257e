/**
 * The element with its types for markup in Svelte 5.
 *
 * @example
 * import "@nudgelight/buy/svelte";
 *
 * @module
 */
import type { HTMLAttributes } from "svelte/elements";
import type { NudgelightBuy, NudgelightBuyAttributes } from "./index.js";

export * from "./index.js";

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "nudgelight-buy": HTMLAttributes<NudgelightBuy> & NudgelightBuyAttributes;
  }
}
