import { useState } from "react";
import { paths } from "../../shared/paths";
import { cartSubtotal, type Cart } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Money } from "../../shared/ui/money";
import { Card, Page } from "../../shared/ui/page";
import { useGo } from "../../shared/use-go";
import { useSession } from "../../shared/use-session";
import { CartLineRow } from "./cart-line-row";
import { LoginWarning } from "./login-warning";
import { ShippingEstimate } from "./shipping-estimate";
import { useCart } from "./use-cart";

export function Component() {
  const cart = useCart();
  if (cart.length === 0) return <EmptyCart />;
  return (
    <Page title="Your Cart">
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <Card>
          <ul className="divide-y divide-line">
            {cart.map((line) => (
              <CartLineRow key={line.id} line={line} />
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
  const [warnings, setWarnings] = useState(0);

  function proceed() {
    if (who.kind === "anonymous") setWarnings(warnings + 1);
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
      {/* Each press warns anew, for its own five seconds. */}
      {warnings > 0 && <LoginWarning key={warnings} />}
    </Card>
  );
}
