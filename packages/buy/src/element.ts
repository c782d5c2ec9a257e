import { cartUrl, fetchProduct, LoadError, parseShop } from "./product.js";
import { errorView, loadingView, productView } from "./view.js";
import { styles } from "./style.js";

// Frameworks import this module on the server, too.
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/**
 * `<nudgelight-buy product="nudgelight-one">`.
 *
 * Attributes: `product`, its id or the name in its URL; `shop`, the shop's address, by default the origin of this script;
 * `target`, where the cart opens, as of a link.
 */
export class NudgelightBuy extends Base {
  static readonly observedAttributes = ["product", "shop"];

  #card: HTMLElement | undefined;
  #request: AbortController | undefined;

  connectedCallback(): void {
    this.#card ??= createCard(this.attachShadow({ mode: "open" }));
    void this.#load();
  }

  disconnectedCallback(): void {
    this.#request?.abort();
  }

  attributeChangedCallback(): void {
    if (this.isConnected && this.#card) void this.#load();
  }

  async #load(): Promise<void> {
    this.#request?.abort();
    const { signal } = (this.#request = new AbortController());
    this.#show(loadingView());
    this.#card?.setAttribute("aria-busy", "true");
    this.#card?.removeAttribute("aria-label");
    // Attributes that change together load the product once.
    await Promise.resolve();
    const view = signal.aborted ? [] : await this.#productOrError(signal);
    if (signal.aborted) return;
    this.#card?.removeAttribute("aria-busy");
    this.#show(view);
  }

  async #productOrError(signal: AbortSignal): Promise<Node[]> {
    try {
      const shop = parseShop(this.getAttribute("shop") ?? new URL(import.meta.url).origin);
      const product = await fetchProduct(shop, this.getAttribute("product") ?? "", signal);
      this.#card?.setAttribute("aria-label", product.name);
      return productView(product, (quantity) => this.#open(cartUrl(shop, product.id, quantity)));
    } catch (error) {
      if (!signal.aborted) console.error("<nudgelight-buy>:", error);
      return errorView(error instanceof LoadError ? error : new LoadError("failed"), () => this.#retry());
    }
  }

  /** The retry button disappears, so the focus moves to the card. */
  #retry(): void {
    this.#card?.focus();
    void this.#load();
  }

  #show(view: Node[]): void {
    this.#card?.replaceChildren(...view);
  }

  #open(url: URL): void {
    window.open(url, this.getAttribute("target") ?? "_self");
  }
}

function createCard(root: ShadowRoot): HTMLElement {
  root.adoptedStyleSheets = [styles()];
  const card = document.createElement("div");
  card.setAttribute("part", "card");
  card.setAttribute("role", "group");
  card.tabIndex = -1;
  root.append(card);
  return card;
}
