import { useState, type FormEvent } from "react";
import { flushSync } from "react-dom";
import { Form, useNavigation } from "react-router";
import { toAddress, typedAddress, type TypedAddress } from "../../shared/address-form";
import { fieldsOf, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { cartSubtotal, checkAddress, estimateQuote, type Cart, type Country } from "../../shared/rules";
import { AddressFields } from "../../shared/ui/address-fields";
import { Button } from "../../shared/ui/button";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors } from "../../shared/use-field-errors";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { keepCheckout } from "./checkout-draft";
import { OrderSummary } from "./order-summary";
import { ClosedStep, StepHeading, Steps } from "./steps";

interface Props {
  cart: Cart;
  typed: TypedAddress;
  /** Where the last order went, if nothing has been typed yet. */
  lastAddress?: TypedAddress | undefined;
  outcome: Outcome | undefined;
}

export function AddressStep({ cart, typed, lastAddress, outcome }: Props) {
  const [filled, setFilled] = useState<TypedAddress>(lastAddress ?? typed);
  const [country, setCountry] = useState<Country>(filled["address.country"] === "CA" ? "CA" : "US");
  const { shippingRates } = useRootData().config;
  const isBusy = useNavigation().state !== "idle";
  const { errors, formProps } = useFieldErrors(check, fieldsOf(outcome));
  const submit = useSingleSubmit(formProps.onSubmit, outcome);

  /** The button for it goes with the address, and the first field takes the focus. */
  function empty() {
    flushSync(() => {
      setFilled({});
      setCountry("US");
    });
    formProps.ref.current?.querySelector<HTMLElement>('[name="name"]')?.focus();
  }

  function keep(event: FormEvent<HTMLFormElement>) {
    formProps.onInput(event);
    keepCheckout({ typed: typedAddress(new FormData(event.currentTarget)) });
  }

  const quote = estimateQuote(cart, country, shippingRates);
  return (
    <Steps summary={<OrderSummary cart={cart} subtotal={cartSubtotal(cart)} shipping={quote?.shipping} />}>
      <Card>
        <StepHeading>1. Shipping Address</StepHeading>
        <Form method="post" className="space-y-6" {...formProps} onSubmit={submit} onInput={keep}>
          {filled === lastAddress && <LastAddressNote onEmpty={empty} />}
          <AddressFields
            key={filled === lastAddress ? "last" : "own"}
            purpose="shipping"
            typed={filled}
            errors={errors}
            onCountry={setCountry}
          />
          <OutcomeNotice outcome={outcome} />
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" look="primary" disabled={isBusy}>
              {isBusy ? "Calculating tax..." : "Continue to Payment"}
            </Button>
            <ShopLink to={paths.cart} className={TEXT_LINK}>
              Back to the cart
            </ShopLink>
          </div>
        </Form>
      </Card>
      <ClosedStep title="2. Payment" />
    </Steps>
  );
}

function LastAddressNote({ onEmpty }: { onEmpty: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-muted">
      This is where your last order went.
      <button type="button" onClick={onEmpty} className={TEXT_LINK}>
        Send it somewhere else
      </button>
    </p>
  );
}

function check(form: FormData) {
  return checkAddress(toAddress(typedAddress(form)));
}
