import { useState } from "react";
import { toAddress, typedAddress } from "../../shared/address-form";
import { checkAddress, keptAddress, type Address } from "../../shared/rules";
import { AddressFields } from "../../shared/ui/address-fields";
import { CheckboxField } from "../../shared/ui/field";
import type { FieldErrors } from "../../shared/use-field-errors";

const SAME = "billingIsShipping";

/** Most cards are billed where the parcel goes; whose isn't gets a second address to fill in. */
export function BillingAddress({ errors }: { errors: FieldErrors }) {
  const [isSame, setSame] = useState(true);
  return (
    <div className="space-y-4">
      <CheckboxField
        name={SAME}
        label="My billing address is my shipping address"
        checked={isSame}
        onChange={(event) => setSame(event.target.checked)}
      />
      {!isSame && (
        <fieldset>
          <legend className="mb-3 font-semibold">Billing Address</legend>
          <AddressFields purpose="billing" typed={{}} errors={errors} />
        </fieldset>
      )}
    </div>
  );
}

export function checkBilling(form: FormData): FieldErrors {
  return form.has(SAME) ? {} : checkAddress(toAddress(typedAddress(form)));
}

export function readBilling(form: FormData, shipping: Address): Address {
  return form.has(SAME) ? shipping : keptAddress(toAddress(typedAddress(form)));
}
