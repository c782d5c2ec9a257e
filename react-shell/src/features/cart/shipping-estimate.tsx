import { useState } from "react";
import { useRootData } from "../../shared/root-data";
import { estimateQuote, type Cart, type Country } from "../../shared/rules";
import { SelectField } from "../../shared/ui/field";
import { Money } from "../../shared/ui/money";

/** The shipping cost by country. It depends on weight alone; tax requires the full address. */
export function ShippingEstimate({ cart }: { cart: Cart }) {
  const [country, setCountry] = useState<Country>("US");
  const { shippingRates } = useRootData().config;
  const quote = estimateQuote(cart, country, shippingRates);
  return (
    <div className="space-y-3 border-t border-line pt-4">
      <SelectField
        label="Ship to"
        required={false}
        value={country}
        onChange={(event) => setCountry(event.target.value === "CA" ? "CA" : "US")}
      >
        <option value="US">United States</option>
        <option value="CA">Canada</option>
      </SelectField>
      {quote && (
        <p className="flex justify-between gap-4">
          <span>Estimated shipping</span>
          <Money amount={quote.shipping} />
        </p>
      )}
      <p className="text-sm text-muted">
        Tax is calculated at checkout.{country === "CA" && " Prices are in US dollars; duties may apply in Canada."}
      </p>
    </div>
  );
}
