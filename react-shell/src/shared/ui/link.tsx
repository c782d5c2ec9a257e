import { Link, NavLink, useLocation, type LinkProps, type NavLinkProps } from "react-router";
import { needsDocument } from "../paths";

type ShopLinkProps = Omit<LinkProps, "to" | "reloadDocument"> & { to: string };

/** A link within the shop. It loads a document where the two pages' security policies differ. */
export function ShopLink({ to, ...rest }: ShopLinkProps) {
  const { pathname } = useLocation();
  return <Link to={to} reloadDocument={needsDocument(pathname, to)} {...rest} />;
}

type ShopNavLinkProps = Omit<NavLinkProps, "to" | "reloadDocument"> & { to: string };

/** The same for navigation: it carries `aria-current` on the page it leads to. */
export function ShopNavLink({ to, ...rest }: ShopNavLinkProps) {
  const { pathname } = useLocation();
  return <NavLink to={to} reloadDocument={needsDocument(pathname, to)} {...rest} />;
}

export const TEXT_LINK = "font-medium text-glow-ink underline underline-offset-4 hover:decoration-2";
