import { paths } from "../../shared/paths";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Page } from "../../shared/ui/page";

/** The page of an empty cart, also shown by the checkout. */
export function EmptyCart({ title }: { title: string }) {
  return (
    <Page title={title} width="text">
      <p className="mb-6 text-lg">Your cart is empty.</p>
      <ShopLink to={paths.products} className={buttonClass("primary")}>
        Shop lights
      </ShopLink>
    </Page>
  );
}
