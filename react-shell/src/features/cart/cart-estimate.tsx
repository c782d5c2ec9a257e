import type { ReactNode } from "react";
import { useRootData } from "../../shared/root-data";
import { cartSubtotal, estimateQuote, states, type Cart, type Country } from "../../shared/rules";
import { ArrivalLine } from "../../shared/ui/arrival-line";
import { SelectField } from "../../shared/ui/field";
import { Money } from "../../shared/ui/money";
import { SkeletonLine } from "../../shared/ui/skeleton";
import { useDestination, type Destination } from "./destination";
import { useTaxEstimate, type TaxEstimate } from "./tax-estimate";

const STATE_LABEL = { US: "State", CA: "Province" } as const;

/** Subtotal, and an estimate of shipping, tax and total. Shipping depends on the country, tax also on the state. */
export function CartEstimate({ cart }: { cart: Cart }) {
  const { destination, choose } = useDestination();
  const { shipping_rates: shippingRates } = useRootData().config;
  const beforeTax = estimateQuote(cart, destination.country, shippingRates);
  const estimate = useTaxEstimate(destination, beforeTax);
  const tax = estimate.kind === "estimated" ? estimate.tax : undefined;
  const quote = tax === undefined ? beforeTax : estimateQuote(cart, destination.country, shippingRates, tax);
  return (
    <>
      <DestinationFields destination={destination} onChoose={choose} />
      <dl className="space-y-2">
        <Row label="Subtotal">
          <Money amount={cartSubtotal(cart)} />
        </Row>
        {quote && (
          <>
            <Row label="Shipping">
              <Money amount={quote.shipping} />
            </Row>
            <Row label="Estimated tax">
              <Tax estimate={estimate} country={destination.country} />
            </Row>
            <div className="flex justify-between gap-4 border-t border-line pt-3 text-lg font-semibold">
              <dt>{tax === undefined ? "Total before tax" : "Estimated total"}</dt>
              <dd>
                <Money amount={quote.total} />
              </dd>
            </div>
          </>
        )}
      </dl>
      <ArrivalLine country={destination.country} />
      <p className="text-sm text-muted">
        Your exact tax is calculated at checkout.
        {destination.country === "CA" && " Prices are in US dollars; duties may apply in Canada."}
      </p>
    </>
  );
}

interface FieldsProps {
  destination: Destination;
  onChoose: (destination: Destination) => void;
}

function DestinationFields({ destination: { country, state }, onChoose }: FieldsProps) {
  return (
    <div className="grid gap-3 min-[24rem]:grid-cols-2">
      <SelectField
        label="Ship to"
        required={false}
        className="min-w-0"
        value={country}
        onChange={({ target }) => onChoose({ country: target.value === "CA" ? "CA" : "US", state: "" })}
      >
        <option value="US">United States</option>
        <option value="CA">Canada</option>
      </SelectField>
      <SelectField
        label={STATE_LABEL[country]}
        required={false}
        className="min-w-0"
        value={state}
        onChange={({ target }) => onChoose({ country, state: target.value })}
      >
        <option value="">Choose…</option>
        {states(country).map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

function Tax({ estimate, country }: { estimate: TaxEstimate; country: Country }) {
  switch (estimate.kind) {
    case "estimated":
      return <Money amount={estimate.tax} />;
    case "loading":
      return <SkeletonLine className="w-12" />;
    case "failed":
      return "At checkout";
    case "no-state":
      return <span className="text-muted">Choose a {STATE_LABEL[country].toLowerCase()}</span>;
  }
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt>{label}</dt>
      <dd className="text-right">{children}</dd>
    </div>
  );
}
