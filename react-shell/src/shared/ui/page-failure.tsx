import { paths } from "../paths";
import { Button } from "./button";
import { ShopLink } from "./link";
import { Notice } from "./notice";

/** A page that cannot be shown: what happened, a new try, and the cart, which is never lost. */
export function PageFailure({ message }: { message: string }) {
  return (
    <div className="space-y-4">
      <Notice kind="error">{message}</Notice>
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="primary" onClick={() => window.location.reload()}>
          Try Again
        </Button>
        <ShopLink to={paths.cart} className="text-link">
          View Cart
        </ShopLink>
      </div>
    </div>
  );
}
