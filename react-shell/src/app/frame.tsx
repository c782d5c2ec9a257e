import { useMemo, useState } from "react";
import { useLocation } from "react-router";
import { useCart } from "../features/cart/use-cart";
import type { ShopConfig } from "../shared/shop-config";
import { logOut } from "../shared/logout";
import { paths } from "../shared/paths";
import type { RootData } from "../shared/root-data";
import { cartCount } from "../shared/rules";
import { Footer, NavigationBar, type Account } from "../shared/rust-frame";
import type { SessionState } from "../shared/session";
import { chooseTheme, readTheme } from "../shared/theme";
import { useNavigateTo } from "../shared/use-navigate-to";
import { useSession } from "../shared/use-session";

/** The navigation bar, with the state of session and cart. */
export function Navigation({ shopName, menu }: { shopName: string; menu: RootData["menu"] }) {
  const { pathname } = useLocation();
  const navigateTo = useNavigateTo();
  const account = accountOf(useSession());
  const count = cartCount(useCart());
  const props = useMemo(
    () => ({ shopName, path: pathname, products: menu, cartCount: count, account }),
    [shopName, pathname, menu, count, account],
  );

  function handleLogOut() {
    logOut();
    navigateTo(paths.home);
  }

  return <NavigationBar props={props} events={{ logOut: handleLogOut }} />;
}

function accountOf(session: SessionState): Account {
  if (session.kind === "anonymous") return "visitor";
  return session.isAdmin ? "admin" : "customer";
}

/** The footer, with the theme switcher. */
export function PageFooter({ config }: { config: ShopConfig }) {
  const [theme, setTheme] = useState(readTheme);
  const props = useMemo(
    () => ({
      shopName: config.shop_name,
      seller: config.seller,
      returnDays: config.return_days,
      returnShipping: config.return_shipping,
      warrantyMonths: config.warranty_months,
      testMode: config.test_mode,
      theme,
    }),
    [config, theme],
  );
  const events = {
    chooseTheme(next: typeof theme) {
      chooseTheme(next);
      setTheme(next);
    },
  };
  return <Footer props={props} events={events} />;
}
