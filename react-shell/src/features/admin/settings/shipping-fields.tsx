import { SelectField, TextField } from "../../../shared/ui/field";
import { cutoffText, NO_CUTOFF } from "./cutoff";
import { dayRangeText } from "./day-range";
import type { SectionFieldsProps } from "./settings-section";

const COUNTRIES = [
  { name: "United States", rate: "us", transit: "US" },
  { name: "Canada", rate: "ca", transit: "CA" },
] as const;

const HOURS = Array.from({ length: NO_CUTOFF + 1 }, (_, hour) => hour);

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
        <fieldset className="sm:col-span-2">
          <legend className="mb-2 font-semibold">All orders</legend>
          <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
            <TextField
              label="Ships within (business days)"
              name="delivery_times.handling"
              autoComplete="off"
              hint="From the order to its shipment."
              defaultValue={dayRangeText(times.handling)}
              error={errors["delivery_times.handling"]}
            />
            <SelectField
              label="Order cutoff"
              required={false}
              name="delivery_times.cutoff_hour"
              hint="Later orders count as orders of the next business day."
              defaultValue={times.cutoff_hour}
              error={errors["delivery_times.cutoff_hour"]}
            >
              {HOURS.map((hour) => (
                <option key={hour} value={hour}>
                  {cutoffText(hour)}
                </option>
              ))}
            </SelectField>
          </div>
        </fieldset>
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
