import { lazy, Suspense, type FormEvent } from "react";
import { addressLabel } from "../../shared/address-form";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { formatMoney } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors } from "../../shared/use-field-errors";
import { BillingAddress, checkBilling, readBilling } from "./billing-address";
import type { OpenIntent } from "./checkout-draft";
import type { OrderResult } from "./finish-order";
import { ExpiredNotice } from "./expired-notice";
import { OrderSummary } from "./order-summary";
import { CollapsedStep, StepHeading, Steps } from "./steps";
import { TestCardPanel } from "./test-card-panel";
import { OrderPendingNotice } from "./order-pending-notice";
import { usePayment } from "./use-payment";

// Lazy loading: only shops that use Stripe load its code, and only on this page.
const StripePanel = lazy(() => import("./stripe-panel"));

interface Props {
  intent: OpenIntent;
  orderResult: OrderResult | undefined;
}

export function PaymentStep({ intent, orderResult }: Props) {
  const payment = usePayment(intent, orderResult);
  const { state } = payment;
  return (
    <Steps summary={<OrderSummary {...intent} country={intent.address.address.country === "CA" ? "CA" : "US"} />}>
      <CollapsedStep title="1. Shipping Address" edit={state.kind === "ready" && <EditLink />}>
        <span className="whitespace-pre-line">{addressLabel(intent.address)}</span>
      </CollapsedStep>
      <Card className="space-y-6">
        <StepHeading>2. Payment</StepHeading>
        {intent.hasNewPrices && (
          <Notice kind="warning">
            Prices have changed since you added these items. The new total is {formatMoney(intent.total)}.
          </Notice>
        )}
        {state.kind === "order-pending" && <OrderPendingNotice message={state.message} onRetry={payment.finish} />}
        {state.kind === "expired" && <ExpiredNotice intent={intent} />}
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
      <Suspense fallback={<p className="text-muted">Loading card form…</p>}>
        <Panel ref={panel} intent={intent} payments={payments} />
      </Suspense>
      <BillingAddress errors={errors} />
      {state.kind === "ready" && state.message !== undefined && <Notice kind="error">{state.message}</Notice>}
      <Button type="submit" variant="primary" className="w-full text-lg" disabled={isBusy}>
        {isBusy ? "Processing..." : `Pay ${formatMoney(intent.total)}`}
      </Button>
    </form>
  );
}

function EditLink() {
  return (
    <ShopLink to={paths.checkoutStep("address")} className="text-link">
      Edit<span className="sr-only"> the shipping address</span>
    </ShopLink>
  );
}
