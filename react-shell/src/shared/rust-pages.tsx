import * as views from "../generated/app/app.js";
import type { HomeProps, ProductEvents, ProductListProps, ProductProps, TextPageProps } from "../generated/app/app.js";
import { createRustView, useRustView, type Mount } from "./use-rust-view";

export type { LampState, Text } from "../generated/app/app.js";

const mountProduct: Mount<ProductProps, ProductEvents> = (element, props, events) =>
  views.mountProductPage(element, props, { addToCart: (quantity) => events().addToCart(quantity) });

/** The product page with its Add to Cart form. */
export function ProductPage({ props, events }: { props: ProductProps; events: ProductEvents }) {
  const host = useRustView<HTMLDivElement, ProductProps, ProductEvents>(mountProduct, props, events);
  return <div ref={host} />;
}

export const HomePage = createRustView<HomeProps>((element, props) => views.mountHomePage(element, props));
export const TextPage = createRustView<TextPageProps>((element, props) => views.mountTextPage(element, props));
export const ProductList = createRustView<ProductListProps>((element, props) => views.mountProductList(element, props));
export const ProductNotFound = createRustView<object>((element) => views.mountProductNotFound(element));
