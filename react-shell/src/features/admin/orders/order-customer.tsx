import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { trackingLink, type Address } from "../../../shared/rules";
import { ShopLink } from "../../../shared/ui/link";
import { Card } from "../../../shared/ui/page";
import { adminPaths } from "../shared/paths";
import type { AdminOrder } from "./api";

/** Customer, addresses and tracking of an order. */
export function OrderCustomer({ order }: { order: AdminOrder }) {
  const email = order.user_email;
  return (
    <Card className="h-fit space-y-5">
      <Section title="Customer">
        <p className="break-words">{order.name}</p>
        <p>
          <a href={`mailto:${email}`} className="text-link text-sm break-all">
            {email}
          </a>
        </p>
        <p className="no-print mt-1 text-sm">
          <ShopLink to={adminPaths.ordersWith({ q: email })} className="text-link">
            All orders from this customer
          </ShopLink>
        </p>
        <p className="no-print mt-1 text-sm">
          <ShopLink to={adminPaths.customersWith({ q: email })} className="text-link">
            Customer page
          </ShopLink>
        </p>
      </Section>
      <Section title="Shipping address">
        <PostalAddress address={order.address} />
      </Section>
      <Section title="Billing address">
        {sameAddress(order) ? (
          <p className="text-muted">Same as shipping address</p>
        ) : (
          <PostalAddress address={order.billing_address} />
        )}
      </Section>
      <Section title="Tracking">
        <Tracking number={order.tracking_number ?? null} />
      </Section>
    </Card>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="mb-1 text-sm text-muted">{title}</h2>
      {children}
    </div>
  );
}

function PostalAddress({ address: { name, phone, address } }: { address: Address }) {
  const place = `${address.city}, ${address.state} ${address.postal_code}`;
  const country = address.country === "CA" ? "Canada" : "United States";
  const lines = [name, address.line1, address.line2, place, country, phone].filter(Boolean);
  return (
    <address className="break-words not-italic">
      {lines.map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
    </address>
  );
}

function sameAddress(order: AdminOrder): boolean {
  return JSON.stringify(order.address) === JSON.stringify(order.billing_address);
}

function Tracking({ number }: { number: string | null }) {
  if (number === null) return <p className="text-muted">No tracking number yet</p>;
  const link = trackingLink(number);
  return (
    <>
      <p className="break-all">{number}</p>
      {link && (
        <p>
          <a href={link.url} target="_blank" rel="noreferrer" className="text-link inline-flex items-center gap-1">
            Track with {link.carrier}
            <ExternalLink aria-hidden className="size-4" />
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        </p>
      )}
    </>
  );
}
