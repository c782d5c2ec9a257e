import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Page } from "../../shared/ui/page";

export function Component() {
  const { config } = useRootData();
  return (
    <Page title={config.shopName} heading={`Welcome to ${config.shopName}`} width="text">
      <p className="mb-6 text-lg text-muted">
        A small light for your USB port. It turns on or blinks when you asked it to, so that you don’t have to remember.
      </p>
      <div className="flex flex-wrap gap-3">
        <ShopLink to={paths.products} className={buttonClass("primary")}>
          See the lights
        </ShopLink>
        <ShopLink to={paths.about} className={buttonClass("secondary")}>
          How it works
        </ShopLink>
      </div>
    </Page>
  );
}
