import { useState } from "react";
import { toAddress, typedAddress } from "../../shared/address-form";
import { checkAddress, normalizedAddress, type Address } from "../../shared/rules";
import { AddressFields } from "../../shared/ui/address-fields";
import { CheckboxField } from "../../shared/ui/field";
import type { FieldErrors } from "../../shared/use-field-errors";

const SAME = "billingIsShipping";

/** The billing address: the same as the shipping address unless the customer enters another one. */
export function BillingAddress({ errors }: { errors: FieldErrors }) {
  const [isSame, setSame] = useState(true);
  return (
    <div className="space-y-4">
      <CheckboxField
        name={SAME}
        label="My billing address is the same as my shipping address"
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
  return form.has(SAME) ? shipping : normalizedAddress(toAddress(typedAddress(form)));
}
