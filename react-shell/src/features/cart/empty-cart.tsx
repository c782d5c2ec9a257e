import { paths } from "../../shared/paths";
import { buttonClass } from "../../shared/ui/button-class";
import { EmptyState } from "../../shared/ui/empty-state";
import { ShopLink } from "../../shared/ui/link";
import { Page } from "../../shared/ui/page";

/** The page of an empty cart, also shown by the checkout. */
export function EmptyCart({ title }: { title: string }) {
  return (
    <Page title={title}>
      <EmptyState
        title={<p className="text-xl font-semibold">Your cart is empty.</p>}
        text="Anything you add stays here until you’re ready."
        action={
          <ShopLink to={paths.products} className={buttonClass("primary")}>
            Shop Lights
          </ShopLink>
        }
      />
    </Page>
  );
}
