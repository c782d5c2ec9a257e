import { Outlet, type LoaderFunctionArgs } from "react-router";
import { paths } from "../../shared/paths";
import { requireAdmin } from "../../shared/signed-in";
import { ShopNavLink } from "../../shared/ui/link";

export const loader = ({ request }: LoaderFunctionArgs) => requireAdmin(request);

export function Component() {
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-x-8 gap-y-6 lg:grid-cols-[10rem_1fr]">
      <nav aria-label="Admin" className="no-print flex gap-1 lg:flex-col">
        <ShopNavLink to={paths.adminOrders} className={RAIL}>
          Orders
        </ShopNavLink>
        <ShopNavLink to={paths.adminProducts} className={RAIL}>
          Products
        </ShopNavLink>
      </nav>
      <div className="min-w-0">
        <Outlet />
      </div>
    </div>
  );
}

const RAIL =
  "inline-flex min-h-11 items-center rounded-field px-4 py-2 font-medium text-muted hover:bg-line/60 hover:text-ink " +
  "aria-[current=page]:bg-line/70 aria-[current=page]:text-ink";
