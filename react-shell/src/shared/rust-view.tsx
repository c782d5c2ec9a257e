import { useLayoutEffect, useRef } from "react";
import init, * as views from "../generated/app/app.js";
import type {
  FooterEvents,
  FooterProps,
  HomeProps,
  NavigationEvents,
  NavigationProps,
  PriceSummaryProps,
  ProductEvents,
  ProductListProps,
  ProductProps,
  ReceiptProps,
  TextPageProps,
  ViewHandle,
} from "../generated/app/app.js";

export type { Account, LampShown, Text, Theme } from "../generated/app/app.js";

/** Must have happened before any view is shown. */
export async function startViews(): Promise<void> {
  await init();
}

type Mount<Props, Events> = (element: HTMLElement, props: Props, events: () => Events) => ViewHandle<Props>;

/**
 * React owns the empty host and nothing in it; the view owns what is inside and nothing else. It is there before the
 * browser paints, follows new props without losing what it holds by itself, and hands events to the latest listener.
 */
function useRustView<Element extends HTMLElement, Props, Events>(
  mount: Mount<Props, Events>,
  props: Props,
  events: Events,
) {
  const host = useRef<Element>(null);
  const latest = useRef({ props, events });
  const handle = useRef<ViewHandle<Props>>(undefined);

  useLayoutEffect(() => {
    const before = latest.current.props;
    latest.current = { props, events };
    if (!isSame(before, props)) handle.current?.update(props);
  }, [props, events]);

  useLayoutEffect(() => {
    if (!host.current) return;
    handle.current = mount(host.current, latest.current.props, () => latest.current.events);
    return () => {
      handle.current?.unmount();
      handle.current = undefined;
    };
  }, [mount]);

  return host;
}

const mountNavigation: Mount<NavigationProps, NavigationEvents> = (element, props, events) =>
  views.mountNavigationBar(element, props, { logOut: () => events().logOut() });

/** The bar above every page. */
export function NavigationBar({ props, events }: { props: NavigationProps; events: NavigationEvents }) {
  const host = useRustView<HTMLElement, NavigationProps, NavigationEvents>(mountNavigation, props, events);
  return <header id="nav" ref={host} />;
}

const mountFooter: Mount<FooterProps, FooterEvents> = (element, props, events) =>
  views.mountFooter(element, props, { chooseTheme: (theme) => events().chooseTheme(theme) });

/** What stands below every page. */
export function Footer({ props, events }: { props: FooterProps; events: FooterEvents }) {
  const host = useRustView<HTMLElement, FooterProps, FooterEvents>(mountFooter, props, events);
  return <footer ref={host} />;
}

const mountProduct: Mount<ProductProps, ProductEvents> = (element, props, events) =>
  views.mountProductPage(element, props, { addToCart: (quantity) => events().addToCart(quantity) });

/** A product, and the way into the cart. */
export function ProductPage({ props, events }: { props: ProductProps; events: ProductEvents }) {
  const host = useRustView<HTMLDivElement, ProductProps, ProductEvents>(mountProduct, props, events);
  return <div ref={host} />;
}

/** A view that only shows. */
function showing<Props>(mount: (element: HTMLElement, props: Props) => ViewHandle<Props>) {
  return function View(props: Props) {
    const host = useRustView<HTMLDivElement, Props, undefined>(mount, props, undefined);
    return <div ref={host} />;
  };
}

/** React makes the props of a component anew each time; the same members are the same props. */
function isSame<Props>(before: Props, props: Props): boolean {
  if (Object.is(before, props)) return true;
  const [old, next] = [Object.entries(before as object), Object.entries(props as object)];
  return old.length === next.length && next.every(([key, value]) => Object.is(before[key as keyof Props], value));
}

export const HomePage = showing<HomeProps>((element, props) => views.mountHomePage(element, props));
export const TextPage = showing<TextPageProps>((element, props) => views.mountTextPage(element, props));
export const ProductList = showing<ProductListProps>((element, props) => views.mountProductList(element, props));
export const ProductNotFound = showing<object>((element) => views.mountProductNotFound(element));
export const PriceSummary = showing<PriceSummaryProps>((element, props) => views.mountPriceSummary(element, props));

/** An order's receipt: the same view that the mail shows. */
export const OrderReceipt = showing<ReceiptProps>((element, props) => views.mountOrderReceipt(element, props));
