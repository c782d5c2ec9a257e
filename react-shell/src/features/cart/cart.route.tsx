import { useEffect, useState } from "react";
import { LOGIN_WARNING_MS } from "../../shared/delays";
import { useFocusKept } from "../../shared/focus";
import { paths } from "../../shared/paths";
import { cartSubtotal, type Cart } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Notice } from "../../shared/ui/notice";
import { Card, Page } from "../../shared/ui/page";
import { useGo } from "../../shared/use-go";
import { useSession } from "../../shared/use-session";
import { CartLineRow } from "./cart-line-row";
import { ShippingEstimate } from "./shipping-estimate";
import { useCart } from "./use-cart";

export function Component() {
  const cart = useCart();
  const [news, setNews] = useState("");
  useFocusKept(news);
  return (
    <>
      <p role="status" className="sr-only">
        {news}
      </p>
      {cart.length === 0 ? (
        <EmptyCart />
      ) : (
        <FilledCart cart={cart} onRemoved={(name) => setNews(`${name} was removed from your cart.`)} />
      )}
    </>
  );
}

function FilledCart({ cart, onRemoved }: { cart: Cart; onRemoved: (name: string) => void }) {
  return (
    <Page title="Your Cart">
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <Card>
          <ul className="divide-y divide-line">
            {cart.map((line) => (
              <CartLineRow key={line.id} line={line} onRemoved={onRemoved} />
            ))}
          </ul>
        </Card>
        <CartTotals cart={cart} />
      </div>
    </Page>
  );
}

function EmptyCart() {
  return (
    <Page title="Your Cart" width="text">
      <p className="mb-6 text-lg">Your cart is empty.</p>
      <ShopLink to={paths.products} className={buttonClass("primary")}>
        See the lights
      </ShopLink>
    </Page>
  );
}

function CartTotals({ cart }: { cart: Cart }) {
  const who = useSession();
  const go = useGo();
  const [isWarned, setWarned] = useState(false);
  useEffect(() => {
    if (!isWarned) return;
    const timer = setTimeout(() => setWarned(false), LOGIN_WARNING_MS);
    return () => clearTimeout(timer);
  }, [isWarned]);

  function proceed() {
    if (who.kind === "anonymous") setWarned(true);
    else go(paths.checkout);
  }

  return (
    <Card className="space-y-4 lg:sticky lg:top-6">
      <h2 className="text-xl">Summary</h2>
      <p className="flex justify-between gap-4 text-lg font-semibold">
        <span>Total</span>
        <Money amount={cartSubtotal(cart)} />
      </p>
      <ShippingEstimate cart={cart} />
      <Button look="primary" className="w-full" onClick={proceed}>
        Proceed to Checkout
      </Button>
      {isWarned && (
        <Notice kind="warn">
          Please{" "}
          <ShopLink to={paths.login} className={TEXT_LINK}>
            log in
          </ShopLink>{" "}
          or{" "}
          <ShopLink to={paths.register} className={TEXT_LINK}>
            register
          </ShopLink>{" "}
          to check out. Your cart stays as it is.
        </Notice>
      )}
    </Card>
  );
}
