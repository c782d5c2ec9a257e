import type { LoadError, Product } from "./product.js";

type Attributes = Record<string, string | number | boolean>;

/** Creates an element without parsing HTML, which a page's security policy may forbid. */
function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) created.setAttribute(name, value === true ? "" : String(value));
  }
  created.append(...children);
  return created;
}

/** Placeholders of the size of a product. */
export function loadingView(): Node[] {
  const lines = ["picture", "name", "price"].map((name) => element("div", { class: `placeholder ${name}` }));
  return [...lines, element("p", { class: "hidden" }, "Loading…")];
}

const ERRORS = {
  invalid: "This product can’t be shown.",
  unknown: "This product isn’t available.",
  failed: "This product couldn’t be loaded.",
};

export function errorView(error: LoadError, retry: () => void): Node[] {
  const message = element("p", { part: "error", role: "alert" }, ERRORS[error.reason]);
  if (error.reason !== "failed") return [message];
  const button = element("button", { part: "button", type: "button" }, "Try Again");
  button.addEventListener("click", retry);
  return [message, button];
}

export function productView(product: Product, addToCart: (quantity: number) => void): Node[] {
  const { name, url, picture, price, stock } = product;
  return [
    element("img", { part: "picture", ...picture, decoding: "async" }),
    element("a", { part: "name", href: url }, name),
    element("p", { part: "price" }, price),
    element("p", { part: `badge ${stock.code.replaceAll("_", "-")}`, id: "badge" }, stock.label),
    orderForm(product, addToCart),
  ];
}

function orderForm({ name, quantity_limit: limit }: Product, addToCart: (quantity: number) => void): HTMLElement {
  const isSoldOut = limit === 0;
  const input = element("input", {
    part: "quantity",
    id: "quantity",
    type: "number",
    inputmode: "numeric",
    min: 1,
    max: Math.max(limit, 1),
    value: 1,
    disabled: isSoldOut,
    "aria-describedby": "error",
  });
  // The disabled button can still be reached with the keyboard, so that its reason is read out.
  const disabled: Attributes = isSoldOut ? { "aria-disabled": "true", "aria-describedby": "badge" } : {};
  const button = element("button", { part: "button", type: "submit", ...disabled }, "Add to Cart");
  const hint = element("span", { class: "hidden" }, `: ${name}`);
  button.append(hint);
  const error = element("p", { part: "error", id: "error", role: "alert" });
  const label = element("label", { part: "label", for: "quantity" }, "Quantity");
  const form = element("form", { part: "form", novalidate: true }, label, input, button, error);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isSoldOut) return;
    const message = quantityError(input.value, limit);
    error.textContent = message;
    input.setAttribute("aria-invalid", String(message !== ""));
    if (message === "") addToCart(Number(input.value));
    else input.focus();
  });
  return form;
}

function quantityError(typed: string, limit: number): string {
  if (!/^\s*\d+\s*$/.test(typed)) return "Enter the quantity as a whole number, like 2.";
  const quantity = Number(typed);
  return quantity >= 1 && quantity <= limit ? "" : `Enter a quantity from 1 to ${limit}.`;
}
