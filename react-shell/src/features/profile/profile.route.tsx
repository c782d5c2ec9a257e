import { useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { ApiError } from "../../shared/api-client";
import type { Schema } from "../../shared/api-types";
import { succeeded, failed, fieldValue, type FormResult } from "../../shared/form-result";
import { addressLabel } from "../../shared/address-form";
import { deferred } from "../../shared/deferred";
import { requireSignedIn } from "../../shared/auth-guard";
import { findOrderWithArrival, type OrderWithArrival } from "../../shared/order-arrival";
import { listOrders } from "../../shared/orders-api";
import { paths } from "../../shared/paths";
import { ShopLink } from "../../shared/ui/link";
import { OrderProgress } from "../../shared/ui/order-progress";
import { Deferred } from "../../shared/ui/deferred";
import { Card } from "../../shared/ui/page";
import { PasskeyOffer } from "../../shared/ui/passkey-offer";
import { RouteError } from "../../shared/ui/route-error";
import { CardSkeleton } from "../../shared/ui/skeleton";
import { endSession, findUser, listSessions } from "./api";
import { Sessions } from "./sessions";

interface ProfileData {
  email: string;
  sessions: Schema<"Session">[] | undefined;
  /** Undefined without one, and if it cannot be loaded. */
  lastOrder: OrderWithArrival | undefined;
}

interface Loaded {
  profile: Promise<ProfileData>;
}

export function loader({ request }: LoaderFunctionArgs): Loaded {
  requireSignedIn(request);
  return { profile: deferred(loadProfile()) };
}

async function loadProfile(): Promise<ProfileData> {
  const [{ data }, sessions, lastOrder] = await Promise.all([
    findUser(),
    listSessions().then(
      (response) => response.sessions,
      () => undefined,
    ),
    findLastOrder().catch(() => undefined),
  ]);
  return {
    email: data.UserAttributes.find((attribute) => attribute.Name === "email")?.Value ?? "",
    sessions,
    lastOrder,
  };
}

async function findLastOrder(): Promise<OrderWithArrival | undefined> {
  const { orders } = await listOrders(new URLSearchParams({ page: "1", limit: "1" }));
  return orders[0] && findOrderWithArrival(orders[0].id);
}

/** Revokes the selected sessions. A session that has already ended counts as revoked. */
export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  requireSignedIn(request);
  const ids = fieldValue(await request.formData(), "session").split(" ");
  const results = await Promise.allSettled(ids.map((id) => endSession(id)));
  const hasFailed = results.some((result) => result.status === "rejected" && !isNotFound(result.reason));
  if (hasFailed) return failed("Some sessions couldn’t be logged out. Please try again.");
  return succeeded(ids.length === 1 ? "Session logged out." : "All other sessions logged out.");
}

function isNotFound(reason: unknown): boolean {
  return reason instanceof ApiError && reason.status === 404;
}

export function Component() {
  const { profile } = useLoaderData<Loaded>();
  return (
    <Deferred
      data={profile}
      skeleton={<ProfileSkeleton />}
      failure={<RouteError message="Your profile couldn’t be loaded. Please try again later." />}
    >
      {(loaded) => <Profile {...loaded} />}
    </Deferred>
  );
}

function Profile({ email, sessions, lastOrder }: ProfileData) {
  const result = useActionData<FormResult>();
  return (
    <div className="max-w-2xl space-y-6">
      {lastOrder && <LastOrder {...lastOrder} />}
      <Card>
        <h2 className="mb-4 text-xl">Profile</h2>
        <dl>
          <dt className="text-muted">Email</dt>
          <dd className="break-words">{email}</dd>
          {lastOrder && (
            <>
              <dt className="mt-3 text-muted">Shipping address from your last order</dt>
              <dd className="break-words whitespace-pre-line">{addressLabel(lastOrder.order.address)}</dd>
            </>
          )}
        </dl>
      </Card>
      <PasskeyOffer />
      <Sessions sessions={sessions} result={result} />
    </div>
  );
}

function LastOrder(lastOrder: OrderWithArrival) {
  const { id, number } = lastOrder.order;
  return (
    <section aria-label={`Order ${number}`}>
      <h2 className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4 text-xl">
        Order {number}
        <ShopLink to={paths.order(id)} className="text-link text-base">
          View order
        </ShopLink>
      </h2>
      <OrderProgress {...lastOrder} />
    </section>
  );
}

/** Placeholder with the size of a profile with one session. */
function ProfileSkeleton() {
  return (
    <div role="status" className="max-w-2xl space-y-6">
      <span className="sr-only">Loading…</span>
      <CardSkeleton className="h-[9.25rem]" />
      <CardSkeleton className="h-60" />
    </div>
  );
}
