import { lazy, Suspense, useState } from "react";
import { useLocation } from "react-router";
import { openPaymentsOf } from "../shared/open-payments";
import { paths } from "../shared/paths";
import { useSession } from "../shared/use-session";

// Few visits begin with an open payment, so the code is loaded by those alone; without it the payment stays remembered.
const PlacedOrders = lazy(() => import("../features/checkout/placed-orders").catch(() => ({ default: () => [] })));

/** At the start, once the customer is logged in: what became of payments that an earlier visit left open. */
export function EarlierPayments() {
  const who = useSession();
  const { pathname } = useLocation();
  // The login page is left a moment after the log-in, and its notices with it.
  if (who.kind === "anonymous" || pathname === paths.login) return null;
  return <PaymentsOf key={who.userId} userId={who.userId} />;
}

function PaymentsOf({ userId }: { userId: string }) {
  const [hadOpenPayments] = useState(() => openPaymentsOf(userId).length > 0);
  return (
    hadOpenPayments && (
      <Suspense fallback={null}>
        <PlacedOrders userId={userId} />
      </Suspense>
    )
  );
}
