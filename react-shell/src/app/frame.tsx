import { useMemo, useState } from "react";
import { useLocation } from "react-router";
import { useCart } from "../features/cart/use-cart";
import type { ShopConfig } from "../shared/env";
import { logOut } from "../shared/log-out";
import { paths } from "../shared/paths";
import { cartCount, type Product } from "../shared/rules";
import { Footer, NavigationBar, type Account } from "../shared/rust-frame";
import type { SessionState } from "../shared/session";
import { chooseTheme, chosenTheme } from "../shared/theme";
import { useGo } from "../shared/use-go";
import { useSession } from "../shared/use-session";

/** The navigation, fed with the session and the cart. */
export function Navigation({ shopName, products }: { shopName: string; products: Product[] }) {
  const { pathname } = useLocation();
  const go = useGo();
  const account = accountOf(useSession());
  const count = cartCount(useCart());
  const props = useMemo(
    () => ({
      shopName,
      path: pathname,
      products: products.map(({ name, slug }) => ({ name, slug })),
      cartCount: count,
      account,
    }),
    [shopName, pathname, products, count, account],
  );

  function leave() {
    logOut();
    go(paths.home);
  }

  return <NavigationBar props={props} events={{ logOut: leave }} />;
}

function accountOf(who: SessionState): Account {
  if (who.kind === "anonymous") return "visitor";
  return who.isAdmin ? "admin" : "customer";
}

/** The footer, with the choice of colors. */
export function PageFooter({ config: { shopName, testMode } }: { config: ShopConfig }) {
  const [theme, setTheme] = useState(chosenTheme);
  const props = useMemo(() => ({ shopName, testMode, theme }), [shopName, testMode, theme]);
  const events = {
    chooseTheme(next: typeof theme) {
      chooseTheme(next);
      setTheme(next);
    },
  };
  return <Footer props={props} events={events} />;
}
