import { TextField } from "../../../shared/ui/field";
import { dayRangeText } from "./day-range";
import type { SectionFieldsProps } from "./settings-section";

const COUNTRIES = [
  { name: "United States", rate: "us", transit: "US" },
  { name: "Canada", rate: "ca", transit: "CA" },
] as const;

export function ShippingFields({ settings: { settings }, errors }: SectionFieldsProps) {
  const { shipping_rates: rates, delivery_times: times } = settings;
  return (
    <>
      <p className="text-muted">
        Shipping is charged by the weight of the whole order. Checkouts that are open keep the shipping they were
        quoted.
      </p>
      <div className="grid gap-6 sm:grid-cols-2">
        {COUNTRIES.map(({ name, rate, transit }) => (
          <fieldset key={rate} className="grid content-start gap-4">
            <legend className="mb-2 font-semibold">{name}</legend>
            <AmountField
              label="First pound (US dollars)"
              name={`shipping_rates.${rate}.first_pound`}
              amount={rates[rate].first_pound}
              errors={errors}
            />
            <AmountField
              label="Each additional pound (US dollars)"
              name={`shipping_rates.${rate}.additional_pound`}
              amount={rates[rate].additional_pound}
              errors={errors}
            />
            <TextField
              label="Delivery (business days)"
              name={`delivery_times.transit.${transit}`}
              autoComplete="off"
              hint="Like 3-5 or 3."
              defaultValue={dayRangeText(times.transit[transit])}
              error={errors[`delivery_times.transit.${transit}`]}
            />
          </fieldset>
        ))}
        <TextField
          label="Ships within (business days)"
          name="delivery_times.handling"
          autoComplete="off"
          hint="From the order to its shipment."
          defaultValue={dayRangeText(times.handling)}
          error={errors["delivery_times.handling"]}
        />
        <TextField
          label="Order cutoff (hour)"
          name="delivery_times.cutoff_hour"
          type="number"
          min="0"
          max="24"
          inputMode="numeric"
          hint="From 0 to 24. Later orders count as orders of the next business day; 24 is no cutoff."
          defaultValue={times.cutoff_hour}
          error={errors["delivery_times.cutoff_hour"]}
        />
      </div>
    </>
  );
}

interface AmountFieldProps {
  label: string;
  name: string;
  amount: number;
  errors: Record<string, string>;
}

function AmountField({ label, name, amount, errors }: AmountFieldProps) {
  return (
    <TextField
      label={label}
      name={name}
      type="number"
      step="0.01"
      min="0"
      inputMode="decimal"
      defaultValue={amount.toFixed(2)}
      error={errors[name]}
    />
  );
}
