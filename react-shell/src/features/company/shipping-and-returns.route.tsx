import { Prose } from "./prose";
import { SupportLink } from "./support-link";

export function Component() {
  return (
    <Prose title="Shipping and Returns">
      <h2>Shipping</h2>
      <p>
        We ship to the United States and to Canada. Shipping goes by the weight of the whole order; your cart shows what
        it costs before you log in. You get a mail with a tracking number when the parcel leaves.
      </p>
      <p>For parcels to Canada duties may apply; they are collected when the parcel arrives.</p>
      <h2>Returns</h2>
      <p>
        Send a light back within 30 days and we return what you paid for it. Write to <SupportLink /> first, so that we
        can send you the address.
      </p>
    </Prose>
  );
}
