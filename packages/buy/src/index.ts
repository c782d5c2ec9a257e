/**
 * Defines the custom element `<nudgelight-buy>`: a product of a Nudgelight shop with its price, stock and an Add to Cart
 * button, for any page.
 *
 * @example
 * <script type="module" src="https://shop.example/sdk/buy.js"></script>
 * <nudgelight-buy product="nudgelight-one"></nudgelight-buy>
 *
 * @module
 */
import { NudgelightBuy } from "./element.js";

export { NudgelightBuy } from "./element.js";

/** The element's attributes, besides those of every element. */
export interface NudgelightBuyAttributes {
  /** The product's id, or its name in the URL of its page. */
  product: string;
  /** The shop's address. Default: the origin of the script. */
  shop?: string | undefined;
  /** Where the cart opens, as of a link: `_blank` for a new tab. Default: the same tab. */
  target?: string | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    "nudgelight-buy": NudgelightBuy;
  }
}

// A server that renders the page has no custom elements. A second script on the page leaves the first one's element.
if (globalThis.customElements && !customElements.get("nudgelight-buy")) {
  customElements.define("nudgelight-buy", NudgelightBuy);
}
