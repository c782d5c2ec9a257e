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

declare global {
  interface HTMLElementTagNameMap {
    "nudgelight-buy": NudgelightBuy;
  }
}

// A server that renders the page has no custom elements. A second script on the page leaves the first one's element.
if (globalThis.customElements && !customElements.get("nudgelight-buy")) {
  customElements.define("nudgelight-buy", NudgelightBuy);
}
