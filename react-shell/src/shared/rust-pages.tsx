import * as views from "../generated/app/app.js";
import type {
  HomeEvents,
  HomeProps,
  ProductEvents,
  ProductListProps,
  ProductProps,
  TextPageProps,
} from "../generated/app/app.js";
import { createRustView, useRustView, type Mount } from "./use-rust-view";

export type { BackInStock, Daypart, HeroLine, LampState, Text } from "../generated/app/app.js";

const mountProduct: Mount<ProductProps, ProductEvents> = (element, props, events) =>
  views.mountProductPage(element, props, {
    addToCart: (quantity) => events().addToCart(quantity),
    emailWhenBack: (email) => events().emailWhenBack(email),
  });

/** The product page with its Add to Cart form. */
export function ProductPage({ props, events }: { props: ProductProps; events: ProductEvents }) {
  const host = useRustView<HTMLDivElement, ProductProps, ProductEvents>(mountProduct, props, events);
  return <div ref={host} />;
}

const mountHome: Mount<HomeProps, HomeEvents> = (element, props, events) =>
  views.mountHomePage(element, props, {
    chooseDaypart: (daypart) => events().chooseDaypart(daypart),
    changeLine: (line) => events().changeLine(line),
    takeHome: (line) => events().takeHome(line),
  });

export function HomePage({ props, events }: { props: HomeProps; events: HomeEvents }) {
  const host = useRustView<HTMLDivElement, HomeProps, HomeEvents>(mountHome, props, events);
  return <div ref={host} />;
}

export const TextPage = createRustView<TextPageProps>((element, props) => views.mountTextPage(element, props));
export const ProductList = createRustView<ProductListProps>((element, props) => views.mountProductList(element, props));
/** The picture of an empty state. */
export const UnlitLight = createRustView<object>((element) => views.mountUnlitLight(element));
export const ProductNotFound = createRustView<object>((element) => views.mountProductNotFound(element));
