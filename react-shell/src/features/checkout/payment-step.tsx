import { lazy, Suspense, type FormEvent } from "react";
import { addressLine } from "../../shared/address-form";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { formatMoney } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors } from "../../shared/use-field-errors";
import { BillingAddress, checkBilling, readBilling } from "./billing-address";
import type { OpenIntent } from "./checkout-draft";
import type { Finished } from "./finish-order";
import { LapsedNotice } from "./lapsed-notice";
import { OrderSummary } from "./order-summary";
import { ClosedStep, StepHeading, Steps } from "./steps";
import { TestCardPanel } from "./test-card-panel";
import { UnorderedNotice } from "./unordered-notice";
import { usePayment } from "./use-payment";

// Stripe's code comes only where Stripe takes the money, and only here.
const StripePanel = lazy(() => import("./stripe-panel"));

interface Props {
  intent: OpenIntent;
  returned: Finished | undefined;
}

export function PaymentStep({ intent, returned }: Props) {
  const payment = usePayment(intent, returned);
  const { state } = payment;
  return (
    <Steps summary={<OrderSummary {...intent} />}>
      <ClosedStep title="1. Shipping Address" edit={state.kind === "ready" && <EditLink />}>
        {addressLine(intent.address)}
      </ClosedStep>
      <Card className="space-y-6">
        <StepHeading>2. Payment</StepHeading>
        {intent.hasNewPrices && (
          <Notice kind="warn">
            Prices have changed since you added these items. The new total is {formatMoney(intent.total)}.
          </Notice>
        )}
        {state.kind === "unordered" && <UnorderedNotice message={state.message} onAgain={payment.finish} />}
        {state.kind === "lapsed" && <LapsedNotice intent={intent} />}
        {(state.kind === "ready" || state.kind === "paying") && <PaymentForm intent={intent} payment={payment} />}
      </Card>
    </Steps>
  );
}

function PaymentForm({ intent, payment }: { intent: OpenIntent; payment: ReturnType<typeof usePayment> }) {
  const { payments } = useRootData().config;
  const { errors, formProps } = useFieldErrors(checkBilling, undefined);
  const { panel, pay, state } = payment;
  const isBusy = state.kind === "paying";
  const Panel = payments.kind === "stripe" ? StripePanel : TestCardPanel;

  function submit(event: FormEvent<HTMLFormElement>) {
    formProps.onSubmit(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    void pay(readBilling(new FormData(event.currentTarget), intent.address));
  }

  return (
    <form {...formProps} onSubmit={submit} className="space-y-6">
      <Suspense fallback={<p className="text-muted">Loading the card form…</p>}>
        <Panel ref={panel} intent={intent} payments={payments} />
      </Suspense>
      <BillingAddress errors={errors} />
      {state.kind === "ready" && state.message !== undefined && <Notice kind="bad">{state.message}</Notice>}
      <Button type="submit" look="primary" className="w-full text-lg" disabled={isBusy}>
        {isBusy ? "Processing..." : `Pay ${formatMoney(intent.total)}`}
      </Button>
    </form>
  );
}

function EditLink() {
  return (
    <ShopLink to={paths.checkoutStep("address")} className={TEXT_LINK}>
      Edit<span className="sr-only"> the shipping address</span>
    </ShopLink>
  );
}
