import { useId, useState } from "react";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { quoteCart, type Cart } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { Card } from "../../shared/ui/page";
import { useNavigateTo } from "../../shared/use-navigate-to";
import { useSession } from "../../shared/use-session";
import { CartEstimate } from "./cart-estimate";
import { focusInvalidQuantity, focusLine } from "./focus-line";
import { LoginWarning } from "./login-warning";
import { firstUnderstockedLine, orderableLines } from "./orderable-lines";
import { useIsCartStored } from "./use-cart";

/** The totals, and the way to the checkout. */
export function CartSummary({ cart }: { cart: Cart }) {
  const session = useSession();
  const navigateTo = useNavigateTo();
  const [warnings, setWarnings] = useState(0);
  const orderable = orderableLines(cart);
  const blocker = useCheckoutBlocker(orderable);
  const blockerId = useId();

  function proceed() {
    if (focusInvalidQuantity()) return;
    const understocked = firstUnderstockedLine(cart);
    if (understocked !== undefined) return focusLine(understocked.id);
    if (session.kind === "anonymous") setWarnings(warnings + 1);
    else navigateTo(paths.checkout);
  }

  return (
    <Card className="space-y-4 lg:sticky lg:top-6">
      <h2 className="text-xl">Summary</h2>
      <CartEstimate cart={orderable} />
      <Button
        variant="primary"
        className="w-full"
        onClick={proceed}
        disabled={blocker !== undefined}
        aria-describedby={blocker && blockerId}
      >
        Proceed to Checkout
      </Button>
      {blocker !== undefined && (
        <p id={blockerId} className="text-muted">
          {blocker}
        </p>
      )}
      {/* A new key restarts the five seconds with each press. */}
      {warnings > 0 && <LoginWarning key={warnings} />}
    </Card>
  );
}

/** The reason why this cart cannot be checked out. The checkout is another document, so it needs a stored cart. */
function useCheckoutBlocker(orderable: Cart): string | undefined {
  const isStored = useIsCartStored();
  const { shipping_rates: shippingRates } = useRootData().config;
  if (orderable.length === 0) return "None of these items can be ordered right now.";
  if (!isStored) return "To check out, allow your browser to store your cart.";
  const quote = quoteCart(orderable, "US", shippingRates);
  return quote.ok ? undefined : quote.error;
}
