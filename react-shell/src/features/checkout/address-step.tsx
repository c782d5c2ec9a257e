import { useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { Form, useNavigation } from "react-router";
import { toAddress, typedAddress, type TypedAddress } from "../../shared/address-form";
import { fieldErrorsOf, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { cartSubtotal, checkAddress, estimateQuote, type Cart, type Country } from "../../shared/rules";
import { AddressFields } from "../../shared/ui/address-fields";
import { Button } from "../../shared/ui/button";
import { ShopLink } from "../../shared/ui/link";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors } from "../../shared/use-field-errors";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { saveCheckout } from "./checkout-draft";
import { OrderSummary } from "./order-summary";
import { CollapsedStep, StepHeading, Steps } from "./steps";

interface Props {
  cart: Cart;
  typed: TypedAddress;
  /** The shipping address of the last order, if nothing has been typed yet. */
  lastAddress?: TypedAddress | undefined;
  result: FormResult | undefined;
}

export function AddressStep({ cart, typed, lastAddress, result }: Props) {
  const [initial, setInitial] = useState<TypedAddress>(lastAddress ?? typed);
  const [country, setCountry] = useState<Country>(initial["address.country"] === "CA" ? "CA" : "US");
  const { shipping_rates: shippingRates } = useRootData().config;
  const isBusy = useNavigation().state !== "idle";
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);

  /** Clears the prefilled address and focuses the first field, because the pressed button disappears. */
  function clear() {
    flushSync(() => {
      setInitial({});
      setCountry("US");
    });
    formProps.ref.current?.querySelector<HTMLElement>('[name="name"]')?.focus();
  }

  function save(event: FormEvent<HTMLFormElement>) {
    formProps.onChange(event);
    saveCheckout({ typed: typedAddress(new FormData(event.currentTarget)) });
  }

  const quote = estimateQuote(cart, country, shippingRates);
  return (
    <Steps
      summary={
        <OrderSummary
          cart={cart}
          country={country}
          subtotal={cartSubtotal(cart)}
          shipping={quote?.shipping}
          beforeTax={quote?.total}
        />
      }
    >
      <Card>
        <StepHeading>1. Shipping Address</StepHeading>
        <Form method="post" className="space-y-6" {...formProps} onSubmit={submit} onChange={save}>
          {initial === lastAddress && <LastAddressNote onClear={clear} />}
          <AddressFields
            key={initial === lastAddress ? "last" : "own"}
            purpose="shipping"
            typed={initial}
            errors={errors}
            onCountry={setCountry}
          />
          <FormResultNotice result={result} />
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" variant="primary" className="w-full sm:w-auto" disabled={isBusy}>
              {isBusy ? "Calculating tax..." : "Continue to Payment"}
            </Button>
            <ShopLink to={paths.cart} className="text-link">
              Back to cart
            </ShopLink>
          </div>
        </Form>
      </Card>
      <CollapsedStep title="2. Payment" />
    </Steps>
  );
}

function LastAddressNote({ onClear }: { onClear: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-muted">
      Using the address of your last order.
      <button type="button" onClick={onClear} className="text-link">
        Use a different address
      </button>
    </p>
  );
}

function validate(form: FormData) {
  return checkAddress(toAddress(typedAddress(form)));
}
