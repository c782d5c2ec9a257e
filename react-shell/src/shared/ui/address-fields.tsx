import { useState, type MouseEvent, type ReactNode } from "react";
import { flushSync } from "react-dom";
import type { TypedAddress } from "../address-form";
import type { Country } from "../rules";
import type { FieldErrors } from "../use-field-errors";
import { SelectField, TextField } from "./field";
import { RegionFields } from "./region-fields";

interface Props {
  typed: TypedAddress;
  errors: FieldErrors;
  /** Autofill section of the browser. */
  purpose: "shipping" | "billing";
  onCountry?: (country: Country) => void;
}

export function AddressFields({ typed, errors, purpose, onCountry }: Props) {
  const [country, setCountry] = useState<Country>(typed["address.country"] === "CA" ? "CA" : "US");

  function changeCountry(value: string) {
    const next = value === "CA" ? "CA" : "US";
    setCountry(next);
    onCountry?.(next);
  }

  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        className="sm:col-span-2"
        label="Full Name"
        name="name"
        autoComplete={`${purpose} name`}
        defaultValue={typed.name}
        error={errors["name"]}
      />
      <SelectField
        className="sm:col-span-2"
        label="Country"
        required={false}
        name="address.country"
        autoComplete={`${purpose} country`}
        value={country}
        onChange={(event) => changeCountry(event.target.value)}
        hint={country === "CA" ? "Prices are in US dollars. Duties may apply in Canada." : undefined}
        error={errors["address.country"]}
      >
        <option value="US">United States</option>
        <option value="CA">Canada</option>
      </SelectField>
      <TextField
        className="sm:col-span-2"
        label="Address"
        name="address.line1"
        autoComplete={`${purpose} address-line1`}
        defaultValue={typed["address.line1"]}
        error={errors["address.line1"]}
      />
      <OptionalField action="Add apartment, suite, or floor" name="address.line2" value={typed["address.line2"]}>
        <TextField
          className="sm:col-span-2"
          label="Apartment, Suite, or Floor"
          isOptional
          name="address.line2"
          autoComplete={`${purpose} address-line2`}
          defaultValue={typed["address.line2"]}
          error={errors["address.line2"]}
        />
      </OptionalField>
      <RegionFields country={country} purpose={purpose} typed={typed} errors={errors} />
      <TextField
        className="sm:col-span-2"
        label="City"
        name="address.city"
        autoComplete={`${purpose} address-level2`}
        defaultValue={typed["address.city"]}
        error={errors["address.city"]}
      />
      <OptionalField action="Add phone" name="phone" value={typed.phone}>
        <TextField
          className="sm:col-span-2"
          label="Phone"
          isOptional
          name="phone"
          type="tel"
          inputMode="tel"
          autoComplete={`${purpose} tel`}
          hint="Only for the carrier, in case of a delivery question."
          defaultValue={typed.phone}
          error={errors["phone"]}
        />
      </OptionalField>
    </div>
  );
}

interface OptionalFieldProps {
  /** Label of the button that shows the field. */
  action: string;
  name: string;
  value: string | undefined;
  children: ReactNode;
}

/** An optional field, hidden behind a button until needed. */
function OptionalField({ action, name, value, children }: OptionalFieldProps) {
  const [isOpen, setOpen] = useState(Boolean(value));

  /** Shows the field and focuses it, because the button disappears. */
  function open({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) {
    flushSync(() => setOpen(true));
    form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }

  if (isOpen) return children;
  return (
    <button
      type="button"
      onClick={open}
      className="justify-self-start py-1 font-medium text-glow-ink underline underline-offset-4 sm:col-span-2"
    >
      {action}
    </button>
  );
}
