import { Link, NavLink, useLocation, type LinkProps, type NavLinkProps } from "react-router";
import { needsDocumentNavigation } from "../paths";

type ShopLinkProps = Omit<LinkProps, "to" | "reloadDocument"> & { to: string };

/** A link within the shop. It loads a document where the content security policies differ. */
export function ShopLink({ to, ...rest }: ShopLinkProps) {
  const { pathname } = useLocation();
  return <Link to={to} reloadDocument={needsDocumentNavigation(pathname, to)} {...rest} />;
}

type ShopNavLinkProps = Omit<NavLinkProps, "to" | "reloadDocument"> & { to: string };

/** A navigation link, with `aria-current` on its own page. */
export function ShopNavLink({ to, ...rest }: ShopNavLinkProps) {
  const { pathname } = useLocation();
  return <NavLink to={to} reloadDocument={needsDocumentNavigation(pathname, to)} {...rest} />;
}
