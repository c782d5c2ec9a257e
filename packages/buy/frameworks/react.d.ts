/**
 * The element with its types for JSX in React 19.
 *
 * @example
 * import "@nudgelight/buy/react";
 *
 * export const Offer = () => <nudgelight-buy product="nudgelight-one" shop="https://shop.example" />;
 *
 * @module
 */
import type { DetailedHTMLProps, HTMLAttributes } from "react";
import type { NudgelightBuy, NudgelightBuyAttributes } from "./index.js";

export * from "./index.js";

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "nudgelight-buy": DetailedHTMLProps<HTMLAttributes<NudgelightBuy>, NudgelightBuy> & NudgelightBuyAttributes;
    }
  }
}
