import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Prose } from "./prose";
import { SupportLink } from "./support-link";

export function Component() {
  const { shopName } = useRootData().config;
  return (
    <Prose title="Terms">
      <h2>Buying</h2>
      <p>
        Prices are in US dollars, without tax and shipping; the checkout shows both before you pay. We have a contract
        once your payment has gone through. We ship to the United States and to Canada.
      </p>
      <h2>If we can’t deliver</h2>
      <p>If something you paid for turns out to be gone, you get all of your money back, and a mail that says so.</p>
      <h2>If something is wrong</h2>
      <p>
        {shopName} is covered for one year against defects. See{" "}
        <ShopLink to={paths.shippingAndReturns} className={TEXT_LINK}>
          shipping and returns
        </ShopLink>
        , or write to <SupportLink />.
      </p>
    </Prose>
  );
}
