import { ChartNoAxesColumn, HeartPulse, Landmark, Package, Settings, Tag, Users, Wallet } from "lucide-react";
import { Outlet, useLocation, type LoaderFunctionArgs } from "react-router";
import { requireAdmin } from "../../../shared/auth-guard";
import { ShopLink } from "../../../shared/ui/link";
import { CommandPalette } from "./command-palette/command-palette";
import { ScanNotice } from "./scan-notice";
import { ShortcutsHelp } from "./shortcuts-help";
import { adminPaths } from "../shared/paths";

export const loader = ({ request }: LoaderFunctionArgs) => requireAdmin(request);

const SECTIONS = [
  { name: "Overview", path: adminPaths.overview, activePath: /^\/admin\/overview/, icon: ChartNoAxesColumn },
  {
    name: "Orders",
    path: adminPaths.orders,
    activePath: /^\/admin\/(order|packing-slips|tracking-import)/,
    icon: Package,
  },
  { name: "Products", path: adminPaths.products, activePath: /^\/admin\/products/, icon: Tag },
  { name: "Customers", path: adminPaths.customers, activePath: /^\/admin\/customers/, icon: Users },
  { name: "Money", path: adminPaths.money, activePath: /^\/admin\/money/, icon: Wallet },
  { name: "Taxes", path: adminPaths.taxes, activePath: /^\/admin\/taxes/, icon: Landmark },
  { name: "Settings", path: adminPaths.settings, activePath: /^\/admin\/settings/, icon: Settings },
  { name: "Health", path: adminPaths.health, activePath: /^\/admin\/health/, icon: HeartPulse },
];

export function Component() {
  const { pathname } = useLocation();
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-x-8 gap-y-6 lg:grid-cols-[12rem_1fr] print:block">
      <nav
        aria-label="Admin"
        className="no-print flex flex-wrap gap-1 max-sm:grid max-sm:grid-cols-4 lg:flex-col lg:flex-nowrap"
      >
        {SECTIONS.map(({ name, path, activePath, icon: Icon }) => (
          <ShopLink
            key={path}
            to={path}
            aria-current={pathname === path ? "page" : activePath.test(pathname)}
            className={NAV_LINK}
          >
            <Icon aria-hidden className="size-5 shrink-0 max-sm:hidden" />
            {name}
          </ShopLink>
        ))}
        <ShortcutsHelp className={`${NAV_LINK} text-left max-lg:ml-auto max-sm:hidden lg:mt-4 lg:text-sm`} />
      </nav>
      <div className="min-w-0">
        <CommandPalette />
        <ScanNotice />
        <Outlet />
      </div>
    </div>
  );
}

const NAV_LINK =
  "inline-flex min-h-11 items-center gap-3 rounded-field px-3 py-2 font-medium text-muted hover:bg-line/60 " +
  "hover:text-ink max-sm:justify-center max-sm:px-1 max-sm:text-sm aria-[current=page]:bg-line/70 aria-[current=page]:text-ink aria-[current=true]:bg-line/70 " +
  "aria-[current=true]:text-ink";
