import * as views from "../generated/app/app.js";
import type { HomeProps, ProductEvents, ProductListProps, ProductProps, TextPageProps } from "../generated/app/app.js";
import { showing, useRustView, type Mount } from "./use-rust-view";

export type { LampShown, Text } from "../generated/app/app.js";

const mountProduct: Mount<ProductProps, ProductEvents> = (element, props, events) =>
  views.mountProductPage(element, props, { addToCart: (quantity) => events().addToCart(quantity) });

/** A product, and the way into the cart. */
export function ProductPage({ props, events }: { props: ProductProps; events: ProductEvents }) {
  const host = useRustView<HTMLDivElement, ProductProps, ProductEvents>(mountProduct, props, events);
  return <div ref={host} />;
}

export const HomePage = showing<HomeProps>((element, props) => views.mountHomePage(element, props));
export const TextPage = showing<TextPageProps>((element, props) => views.mountTextPage(element, props));
export const ProductList = showing<ProductListProps>((element, props) => views.mountProductList(element, props));
export const ProductNotFound = showing<object>((element) => views.mountProductNotFound(element));
