import * as views from "../generated/app/app.js";
import type { FooterEvents, FooterProps, NavigationEvents, NavigationProps } from "../generated/app/app.js";
import { useRustView, type Mount } from "./use-rust-view";

export type { Account, Theme } from "../generated/app/app.js";

const mountNavigation: Mount<NavigationProps, NavigationEvents> = (element, props, events) =>
  views.mountNavigationBar(element, props, { logOut: () => events().logOut() });

/** The navigation bar of every page. */
export function NavigationBar({ props, events }: { props: NavigationProps; events: NavigationEvents }) {
  const host = useRustView<HTMLElement, NavigationProps, NavigationEvents>(mountNavigation, props, events);
  return <header id="nav" ref={host} />;
}

const mountFooter: Mount<FooterProps, FooterEvents> = (element, props, events) =>
  views.mountFooter(element, props, { chooseTheme: (theme) => events().chooseTheme(theme) });

/** The footer of every page. */
export function Footer({ props, events }: { props: FooterProps; events: FooterEvents }) {
  const host = useRustView<HTMLElement, FooterProps, FooterEvents>(mountFooter, props, events);
  return <footer ref={host} />;
}
