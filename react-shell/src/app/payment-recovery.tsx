import { lazy, Suspense, useState } from "react";
import { useLocation } from "react-router";
import { listOpenPayments } from "../shared/open-payments";
import { paths } from "../shared/paths";
import { useSession } from "../shared/use-session";

// Lazy loading: few visits have an open payment. If the chunk cannot be loaded, the payment stays stored.
const RecoveredOrders = lazy(() =>
  import("../features/checkout/recovered-orders").catch(() => ({ default: () => [] })),
);

/** Requests the orders of payments that an earlier visit left open, once the customer is logged in. */
export function PaymentRecovery() {
  const session = useSession();
  const { pathname } = useLocation();
  // The login page redirects shortly after a login and would drop the notices.
  if (session.kind === "anonymous" || pathname === paths.login) return null;
  return <OpenPayments key={session.userId} userId={session.userId} />;
}

function OpenPayments({ userId }: { userId: string }) {
  const [hadOpenPayments] = useState(() => listOpenPayments(userId).length > 0);
  return (
    hadOpenPayments && (
      <Suspense fallback={null}>
        <RecoveredOrders userId={userId} />
      </Suspense>
    )
  );
}
