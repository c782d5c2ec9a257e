import { SelectField, TextArea, TextField } from "../../../shared/ui/field";
import type { FieldErrors } from "../../../shared/use-field-errors";
import { FACTS, factTexts, type Facts } from "./product-facts";

const FORMS = { stick: "Stick", mini: "Mini", duo: "Duo (two domes)", halo: "Halo (ring on a cable)" };
const COLORS = {
  amber: "Amber",
  coral: "Coral",
  rose: "Rose",
  violet: "Violet",
  azure: "Azure",
  teal: "Teal",
  green: "Green",
  ivory: "Ivory",
};
const CARD_PICTURES = { photo: "First photo", drawing: "Drawing" };
const PLUGS = { "": "Unknown", usb_a: "USB-A", usb_c: "USB-C" };

interface Props {
  errors: FieldErrors;
  /** The edited product; undefined for a new one. */
  product: Facts | undefined;
}

/** The optional facts of a product. The shop shows each one only where it is given. */
export function ProductFactsFields({ errors, product }: Props) {
  const texts = product && factTexts(product);
  const field = (name: keyof typeof FACTS) => ({
    label: FACTS[name].label,
    name: FACTS[name].field,
    defaultValue: texts?.[name],
    error: errors[FACTS[name].field],
    required: false,
  });
  const hasError = Object.values(FACTS).some((fact) => errors[fact.field] !== undefined);
  return (
    <details className="rounded-card border border-line p-4 sm:col-span-full" {...(hasError && { open: true })}>
      <summary className="cursor-pointer font-medium">Drawing, specifications and codes (optional)</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-3">
        <SelectField {...field("form")}>{options(FORMS)}</SelectField>
        <SelectField {...field("lamp_color")}>{options(COLORS)}</SelectField>
        <SelectField {...field("card_picture")}>{options(CARD_PICTURES)}</SelectField>
        <SelectField {...field("plug")}>{options(PLUGS)}</SelectField>
        <TextField {...field("length_mm")} inputMode="numeric" />
        <TextField {...field("width_mm")} inputMode="numeric" />
        <TextField {...field("height_mm")} inputMode="numeric" />
        <TextField {...field("cable_length_mm")} inputMode="numeric" />
        <TextField {...field("power_mw")} inputMode="numeric" />
        <TextField {...field("brightness_lm")} inputMode="numeric" />
        <TextField {...field("led_color")} maxLength={60} />
        <TextField
          {...field("timekeeping_days")}
          inputMode="numeric"
          hint="Days until the clock may be a minute off."
        />
        <TextArea className="sm:col-span-full" {...field("in_the_box")} rows={3} hint="One item per line." />
        <TextField {...field("warranty_months")} inputMode="numeric" />
        <TextField {...field("sku")} maxLength={40} autoComplete="off" />
        <TextField {...field("gtin")} maxLength={14} inputMode="numeric" autoComplete="off" />
        <TextField {...field("origin_country")} maxLength={2} hint="Two letters, like CA." autoComplete="off" />
        <TextField {...field("hs_code")} maxLength={13} hint="For customs, like 9405.21." autoComplete="off" />
      </div>
    </details>
  );
}

function options(labels: Record<string, string>) {
  return Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
}
