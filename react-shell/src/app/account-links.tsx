import { paths } from "../shared/paths";
import { ShopNavLink } from "../shared/ui/link";
import { useGo } from "../shared/use-go";
import { useSession } from "../shared/use-session";
import { logOut } from "../shared/log-out";
import { NAV_ITEM } from "./nav-item";

export function AccountLinks() {
  const who = useSession();
  const go = useGo();

  if (who.kind === "anonymous") {
    return (
      <>
        <ShopNavLink to={paths.login} className={NAV_ITEM}>
          Login
        </ShopNavLink>
        <ShopNavLink to={paths.register} className={NAV_ITEM}>
          Register
        </ShopNavLink>
      </>
    );
  }

  function leave() {
    logOut();
    go(paths.home);
  }

  return (
    <>
      <ShopNavLink to={paths.profile} className={NAV_ITEM}>
        My Account
      </ShopNavLink>
      {who.isAdmin && (
        <ShopNavLink to={paths.admin} className={NAV_ITEM}>
          Admin Panel
        </ShopNavLink>
      )}
      <button type="button" onClick={leave} className={NAV_ITEM}>
        Logout
      </button>
    </>
  );
}
