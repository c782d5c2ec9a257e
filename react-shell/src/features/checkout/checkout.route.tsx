import {
  redirect,
  replace,
  useActionData,
  useLoaderData,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { typedAddress, type TypedAddress } from "../../shared/address-form";
import { redirectFrom } from "../../shared/document-navigation";
import { isOpenPayment } from "../../shared/open-payments";
import type { FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import type { Cart } from "../../shared/rules";
import { requireSignedIn } from "../../shared/auth-guard";
import { Notice } from "../../shared/ui/notice";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { readCart } from "../cart/cart-store";
import { EmptyCart } from "../cart/empty-cart";
import { orderableLines } from "../cart/orderable-lines";
import { AddressStep } from "./address-step";
import { hasExpired, matchesCart, readCheckoutFor, type OpenIntent } from "./checkout-draft";
import { finishOrder, type OrderResult } from "./finish-order";
import { findLastAddress } from "./last-address";
import { openIntent } from "./open-intent";
import { PaymentStep } from "./payment-step";
import { useStepFocus } from "./steps";
import { useOfflineLinks } from "./use-offline-links";

type CheckoutData =
  | { step: "empty" }
  | { step: "address"; cart: Cart; typed: TypedAddress; lastAddress?: TypedAddress | undefined }
  | { step: "payment"; intent: OpenIntent; orderResult?: OrderResult };

export async function loader({ request }: LoaderFunctionArgs): Promise<CheckoutData> {
  const params = new URL(request.url).searchParams;
  // After 3-D Secure the provider appends the payment and its client secret to the return URL. Remove them.
  if (params.has("payment_intent")) throw replace(paths.checkoutStep("payment"));
  const isPayment = params.get("step") === "payment";
  const { open, typed } = readCheckoutFor(requireSignedIn(request).userId);
  if (open && isOpenPayment(open.id)) {
    const orderResult = await resumePayment(request, open);
    if (isPayment || orderResult.kind === "order-pending") return { step: "payment", intent: open, orderResult };
  }
  const cart = orderableLines(readCart());
  // All lines are sold out or unlisted. The cart says so.
  if (cart.length === 0 && readCart().length > 0) throw redirectFrom(request, paths.cart);
  if (cart.length === 0) return { step: "empty" };
  if (!isPayment) return addressStep(cart, typed);
  if (!open || !matchesCart(open, cart) || hasExpired(open)) throw redirectFrom(request, paths.checkoutStep("address"));
  return { step: "payment", intent: open };
}

/** Prefills the address typed in this tab, or else the shipping address of the last order. */
async function addressStep(cart: Cart, typed: TypedAddress): Promise<CheckoutData> {
  if (Object.keys(typed).length > 0) return { step: "address", cart, typed };
  return { step: "address", cart, typed, lastAddress: await findLastAddress() };
}

/** Requests the order of a payment after 3-D Secure, a reload or a login interrupted the checkout. */
async function resumePayment(request: Request, open: OpenIntent): Promise<OrderResult> {
  const orderResult = await finishOrder(open.id);
  if (orderResult.kind === "ordered") throw redirectFrom(request, paths.checkoutSuccess(orderResult.orderId));
  if (orderResult.kind === "logged-out") requireSignedIn(request);
  return orderResult;
}

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  const { userId } = requireSignedIn(request);
  const opened = await openIntent(userId, typedAddress(await request.formData()), orderableLines(readCart()));
  if ("placedOrderId" in opened) throw redirectFrom(request, paths.checkoutSuccess(opened.placedOrderId));
  if ("kind" in opened) return opened;
  throw redirect(paths.checkoutStep("payment"));
}

export function Component() {
  const data = useLoaderData<CheckoutData>();
  const result = useActionData<FormResult>();
  const { test_mode: testMode } = useRootData().config;
  const isOffline = useOfflineLinks();
  useStepFocus(data.step === "payment" ? data.intent.id : data.step);
  if (data.step === "empty") return <EmptyCart title="Checkout" />;
  return (
    <Page title="Checkout">
      {testMode && (
        <div className="mb-6">
          <Notice kind="info">Test mode: you won’t be charged and nothing ships. Pay with a test card.</Notice>
        </div>
      )}
      <div role="status" className={isOffline ? "mb-6" : ""}>
        {isOffline && (
          <Notice kind="warning">You’re offline, so this page stays open. Links work again once you’re online.</Notice>
        )}
      </div>
      {data.step === "address" ? (
        <AddressStep {...data} result={result} />
      ) : (
        <PaymentStep key={data.intent.id} intent={data.intent} orderResult={data.orderResult} />
      )}
    </Page>
  );
}

export function ErrorBoundary() {
  return (
    <Page title="Checkout">
      <RouteError message="The checkout couldn’t be loaded. Please try again." />
    </Page>
  );
}
