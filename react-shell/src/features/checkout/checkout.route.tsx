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
import { orderableLines } from "../cart/line-state";
import { AddressStep } from "./address-step";
import { hasLapsed, isFor, readCheckoutOf, type OpenIntent } from "./checkout-draft";
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
  const params = new URL(request.url).searchParams;
  // The provider adds the payment and its secret to the address that the bank's page leads back to.
  if (params.has("payment_intent")) throw replace(paths.checkoutStep("payment"));
  const isPayment = params.get("step") === "payment";
  const { open, typed } = readCheckoutOf(requireSignedIn(request).userId);
  if (open && isOpenPayment(open.id)) {
    const returned = await comeBack(request, open);
    if (isPayment || returned.kind === "unordered") return { step: "payment", intent: open, returned };
  }
  const cart = orderableLines(readCart());
  // Its lines are sold out or withdrawn, which the cart says.
  if (cart.length === 0 && readCart().length > 0) throw redirectFrom(request, paths.cart);
  if (cart.length === 0) return { step: "empty" };
  if (!isPayment) return addressStep(cart, typed);
  if (!open || !isFor(open, cart) || hasLapsed(open)) throw redirect(paths.checkoutStep("address"));
  return { step: "payment", intent: open };
}

/** What was typed in this tab comes first; who has typed nothing yet is offered where their last order went. */
async function addressStep(cart: Cart, typed: TypedAddress): Promise<CheckoutData> {
  if (Object.keys(typed).length > 0) return { step: "address", cart, typed };
  return { step: "address", cart, typed, lastAddress: await findLastAddress() };
}

/** From the bank's page, or after a reload or a log-in between paying and ordering. */
async function comeBack(request: Request, open: OpenIntent): Promise<Finished> {
  const returned = await finishOrder(open.id);
  if (returned.kind === "ordered") throw redirectFrom(request, paths.checkoutSuccess(returned.orderId));
  if (returned.kind === "logged-out") requireSignedIn(request);
  return returned;
}

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  const { userId } = requireSignedIn(request);
  const opened = await openIntent(userId, typedAddress(await request.formData()), orderableLines(readCart()));
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
