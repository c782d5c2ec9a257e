import { Outlet, type LoaderFunctionArgs } from "react-router";
import { paths } from "../../shared/paths";
import { requireSignedIn } from "../../shared/auth-guard";
import { ShopNavLink } from "../../shared/ui/link";
import { Page } from "../../shared/ui/page";
import { TAB } from "../../shared/ui/tab";

export const loader = ({ request }: LoaderFunctionArgs) => requireSignedIn(request);

export function Component() {
  return (
    <Page title="My Account">
      <nav aria-label="Account" className="mb-6 flex gap-1 overflow-x-auto border-b border-line">
        <ShopNavLink to={paths.profile} end className={TAB}>
          Profile
        </ShopNavLink>
        <ShopNavLink to={paths.profileOrders} className={TAB}>
          Orders
        </ShopNavLink>
        <ShopNavLink to={paths.profileSettings} className={TAB}>
          Settings
        </ShopNavLink>
      </nav>
      <Outlet />
    </Page>
  );
}
