import type { MouseEvent } from "react";
import { Link, NavLink, useLocation, type LinkProps, type NavLinkProps } from "react-router";
import { replaceDocument } from "../document-navigation";
import { needsDocumentNavigation } from "../paths";

type ShopLinkProps = Omit<LinkProps, "to" | "reloadDocument"> & { to: string };

/**
 * A link within the shop. It loads a document where the content security policies differ. With `replace`, the other page
 * takes the place of this one in the history.
 */
export function ShopLink({ to, replace, onClick, ...rest }: ShopLinkProps) {
  const { pathname } = useLocation();
  const loadsDocument = needsDocumentNavigation(pathname, to);

  function handleClick(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (!replace || !loadsDocument || event.defaultPrevented || opensElsewhere(event)) return;
    event.preventDefault();
    replaceDocument(to);
  }

  // Without the property, a link to the current page replaces its entry.
  const replacing = replace === undefined ? {} : { replace };
  return <Link to={to} {...replacing} reloadDocument={loadsDocument} onClick={handleClick} {...rest} />;
}

/** Whether the browser opens a tab or a window, or downloads. */
function opensElsewhere({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}

type ShopNavLinkProps = Omit<NavLinkProps, "to" | "reloadDocument"> & { to: string };

/** A navigation link, with `aria-current` on its own page. */
export function ShopNavLink({ to, ...rest }: ShopNavLinkProps) {
  const { pathname } = useLocation();
  return <NavLink to={to} reloadDocument={needsDocumentNavigation(pathname, to)} {...rest} />;
}
