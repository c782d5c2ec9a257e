import { ChevronDown, Menu, ShoppingCart, X } from "lucide-react";
import { Collapsible, DropdownMenu } from "radix-ui";
import { useState } from "react";
import { useLocation } from "react-router";
import { useCart } from "../features/cart/use-cart";
import { paths } from "../shared/paths";
import { cartCount, type Product } from "../shared/rules";
import { ShopLink, ShopNavLink } from "../shared/ui/link";
import { AccountLinks } from "./account-links";
import { NAV_ITEM } from "./nav-item";

interface Props {
  products: Product[];
  shopName: string;
}

export function NavigationBar({ products, shopName }: Props) {
  const { pathname } = useLocation();
  // Open on this page: going to another one closes it.
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === pathname;

  return (
    <header id="nav" className="no-print border-b border-line bg-card">
      <Collapsible.Root open={isOpen} onOpenChange={(open) => setOpenOn(open ? pathname : undefined)} asChild>
        <nav aria-label="Main" className="mx-auto max-w-6xl px-4 sm:px-6">
          <div className="flex min-h-16 items-center gap-1">
            <ShopLink to={paths.home} className="mr-auto flex items-center gap-2 py-2 text-lg font-semibold lg:mr-6">
              <span aria-hidden className="size-3.5 rounded-full bg-glow shadow-[0_0_12px_var(--color-glow)]" />
              {shopName}
            </ShopLink>
            <div className="hidden grow items-center gap-1 lg:flex">
              <ShopNavLink to={paths.about} className={NAV_ITEM}>
                About
              </ShopNavLink>
              <ProductsMenu products={products} />
            </div>
            <CartLink />
            <div className="hidden items-center gap-1 lg:flex">
              <AccountLinks />
            </div>
            <Collapsible.Trigger className={`${NAV_ITEM} lg:hidden`} aria-label={isOpen ? "Close menu" : "Open menu"}>
              {isOpen ? <X aria-hidden className="size-6" /> : <Menu aria-hidden className="size-6" />}
            </Collapsible.Trigger>
          </div>
          <Collapsible.Content className="border-t border-line pt-2 pb-4 lg:hidden">
            <SmallMenu products={products} />
          </Collapsible.Content>
        </nav>
      </Collapsible.Root>
    </header>
  );
}

function SmallMenu({ products }: { products: Product[] }) {
  return (
    <div className="flex flex-col">
      <ShopNavLink to={paths.about} className={NAV_ITEM}>
        About
      </ShopNavLink>
      <ShopNavLink to={paths.products} end className={NAV_ITEM}>
        Products
      </ShopNavLink>
      <ul className="ml-4 border-l border-line pl-2">
        {products.map((product) => (
          <li key={product.id}>
            <ShopNavLink to={paths.product(product.slug)} className={NAV_ITEM}>
              {product.name}
            </ShopNavLink>
          </li>
        ))}
      </ul>
      <hr className="my-2 border-line" />
      <AccountLinks />
    </div>
  );
}

function ProductsMenu({ products }: { products: Product[] }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={`${NAV_ITEM} data-[state=open]:bg-line/60`}>
        Products
        <ChevronDown aria-hidden className="size-4" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          className="z-40 min-w-56 rounded-card border border-line bg-card p-1.5 shadow-float"
        >
          {products.map((product) => (
            <DropdownMenu.Item key={product.id} asChild>
              <ShopLink to={paths.product(product.slug)} className={MENU_ITEM}>
                {product.name}
              </ShopLink>
            </DropdownMenu.Item>
          ))}
          {products.length > 0 && <DropdownMenu.Separator className="my-1.5 h-px bg-line" />}
          <DropdownMenu.Item asChild>
            <ShopLink to={paths.products} className={MENU_ITEM}>
              All products
            </ShopLink>
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const MENU_ITEM = "block rounded-lg px-3 py-2 outline-none data-highlighted:bg-line/60";

function CartLink() {
  const count = cartCount(useCart());
  return (
    <ShopNavLink to={paths.cart} className={NAV_ITEM}>
      <ShoppingCart aria-hidden className="size-5 max-[24rem]:hidden" />
      View Cart
      {/* The outer span keeps the underline of the current page away from the number. */}
      <span>
        <span
          data-testid="cart-count"
          className={`inline-block min-w-6 rounded-full px-1.5 text-center text-sm font-semibold ${count > 0 ? "bg-glow text-on-glow" : "bg-line text-ink"}`}
        >
          {count}
          <span className="sr-only"> {count === 1 ? "item" : "items"}</span>
        </span>
      </span>
    </ShopNavLink>
  );
}
