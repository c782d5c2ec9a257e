import { redirect, useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { typedAddress, type TypedAddress } from "../../shared/address-form";
import { redirectFrom } from "../../shared/document-navigation";
import type { Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import type { Cart } from "../../shared/rules";
import { requireSignedIn } from "../../shared/signed-in";
import { buttonClass } from "../../shared/ui/button-class";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Page } from "../../shared/ui/page";
import { RouteError } from "../../shared/ui/route-error";
import { readCart } from "../cart/cart-store";
import { AddressStep } from "./address-step";
import { hasLapsed, isFor, readCheckout, type OpenIntent } from "./checkout-draft";
import { finishOrder, type Finished } from "./finish-order";
import { findLastAddress } from "./last-address";
import { openIntent } from "./open-intent";
import { PaymentStep } from "./payment-step";
import { useStepFocus } from "./steps";

type CheckoutData =
  | { step: "empty" }
  | { step: "address"; cart: Cart; typed: TypedAddress; lastAddress?: TypedAddress | undefined }
  | { step: "payment"; intent: OpenIntent; returned?: Finished };

export async function loader({ request }: LoaderFunctionArgs): Promise<CheckoutData> {
  requireSignedIn(request);
  const params = new URL(request.url).searchParams;
  const { open, typed } = readCheckout();
  const cart = readCart();
  if (open && (open.isPaid || params.get("payment_intent") === open.id)) return comeBack(request, open);
  if (cart.length === 0) return { step: "empty" };
  if (params.get("step") !== "payment") return addressStep(cart, typed);
  if (!open || !isFor(open, cart) || hasLapsed(open)) throw redirect(paths.checkoutStep("address"));
  return { step: "payment", intent: open };
}

/** What was typed in this tab comes first; who has typed nothing yet is offered where their last order went. */
async function addressStep(cart: Cart, typed: TypedAddress): Promise<CheckoutData> {
  if (Object.keys(typed).length > 0) return { step: "address", cart, typed };
  return { step: "address", cart, typed, lastAddress: await findLastAddress() };
}

/** From the bank's page, or after a reload between paying and ordering. */
async function comeBack(request: Request, open: OpenIntent): Promise<CheckoutData> {
  const returned = await finishOrder(open);
  if (returned.kind === "ordered") throw redirectFrom(request, paths.checkoutSuccess(returned.orderId));
  return { step: "payment", intent: readCheckout().open ?? open, returned };
}

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  requireSignedIn(request);
  const opened = await openIntent(typedAddress(await request.formData()), readCart());
  if ("kind" in opened) return opened;
  throw redirect(paths.checkoutStep("payment"));
}

export function Component() {
  const data = useLoaderData<CheckoutData>();
  const outcome = useActionData<Outcome>();
  const { testMode } = useRootData().config;
  useStepFocus(data.step === "payment" ? data.intent.id : data.step);
  if (data.step === "empty") return <NothingToPay />;
  return (
    <Page title="Checkout">
      {testMode && (
        <div className="mb-6">
          <Notice kind="info">Test mode: no real money moves and nothing is shipped. Pay with a test card.</Notice>
        </div>
      )}
      {data.step === "address" ? (
        <AddressStep {...data} outcome={outcome} />
      ) : (
        <PaymentStep key={data.intent.id} intent={data.intent} returned={data.returned} />
      )}
    </Page>
  );
}

export function ErrorBoundary() {
  return (
    <Page title="Checkout">
      <RouteError message="The checkout could not be loaded. Please try again." />
    </Page>
  );
}

function NothingToPay() {
  return (
    <Page title="Checkout" width="text">
      <p className="mb-6 text-lg">Your cart is empty.</p>
      <ShopLink to={paths.products} className={buttonClass("primary")}>
        See the lights
      </ShopLink>
    </Page>
  );
}
