import type { PaymentIntent, Stripe, StripeElements, StripeError } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useEffect, useImperativeHandle, useRef, useState } from "react";
import type { Address } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { Notice } from "../../shared/ui/notice";
import type { PaymentPanelProps, PaymentResult } from "./payment";

interface Mounted {
  stripe: Stripe;
  elements: StripeElements;
}

/** Stripe's Payment Element, loaded again on request if its script failed to load. */
export default function StripePanel(props: PaymentPanelProps) {
  const [attempt, setAttempt] = useState(0);
  return <PaymentElement key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

/** The card data stays in Stripe's iframe and never reaches this page (PCI DSS). */
function PaymentElement({ ref, intent, payments, onRetry }: PaymentPanelProps & { onRetry: () => void }) {
  const host = useRef<HTMLDivElement>(null);
  const mounted = useRef<Mounted>(undefined);
  const [hasFailed, setFailed] = useState(false);

  useEffect(() => {
    let isUnmounted = false;
    async function start() {
      const stripe = await loadStripe(payments.publishable_key).catch(() => null);
      if (isUnmounted || !host.current) return;
      if (stripe) mounted.current = mount(stripe, intent.clientSecret, host.current);
      else setFailed(true);
    }
    void start();
    return () => {
      isUnmounted = true;
      mounted.current?.elements.getElement("payment")?.destroy();
      mounted.current = undefined;
    };
  }, [payments.publishable_key, intent.clientSecret]);

  async function confirm(billing: Address, returnUrl: string): Promise<PaymentResult> {
    if (!mounted.current) return { kind: "unexpected" };
    const { stripe, elements } = mounted.current;
    const { error, paymentIntent } = await stripe.confirmPayment({
      elements,
      redirect: "if_required",
      confirmParams: { return_url: returnUrl, payment_method_data: { billing_details: billingDetails(billing) } },
    });
    return error ? toErrorResult(error) : toPaymentResult(paymentIntent);
  }

  useImperativeHandle(ref, () => ({ confirm }));

  if (hasFailed)
    return (
      <Notice kind="error">
        <p>The card form couldn’t be loaded. Check your connection and try again.</p>
        <Button className="mt-2" onClick={onRetry}>
          Try Again
        </Button>
      </Notice>
    );
  return <div ref={host} className="min-h-64" />;
}

function mount(stripe: Stripe, clientSecret: string, host: HTMLElement): Mounted {
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark" || isSystemDark();
  const elements = stripe.elements({ clientSecret, appearance: { theme: isDark ? "night" : "stripe" } });
  const fields = { billingDetails: { name: "never", phone: "never", address: "never" } } as const;
  elements.create("payment", { fields }).mount(host);
  return { stripe, elements };
}

function isSystemDark(): boolean {
  return !document.documentElement.dataset["theme"] && window.matchMedia("(prefers-color-scheme: dark)").matches;
}

function toErrorResult(error: StripeError): PaymentResult {
  if (error.type === "validation_error") return { kind: "incomplete" };
  if (error.type === "card_error") return { kind: "declined", message: error.message ?? "Your card was declined." };
  return { kind: "unexpected" };
}

function toPaymentResult(paymentIntent: PaymentIntent): PaymentResult {
  return paymentIntent.status === "succeeded" ? { kind: "succeeded" } : { kind: "unexpected" };
}

/** All billing details, because the element is configured not to collect any. */
function billingDetails({ name, phone, address }: Address) {
  return { name, phone: phone ?? "", address: { ...address, line2: address.line2 ?? "" } };
}
