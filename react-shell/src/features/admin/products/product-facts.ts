import type { ProductForm, ProductInput } from "../../../shared/rules";

/** A product with its optional facts, as edited. */
export type Facts = Omit<ProductInput, "name" | "description" | "price" | "stock" | "weight_pounds" | "active">;

type FactName = Exclude<keyof ProductForm, "name" | "description" | "price" | "stock" | "weight_pounds" | "active">;

/** The optional facts: the name of the form field, which is the path in the request, and the label. */
export const FACTS: Record<FactName, { field: string; label: string }> = {
  form: { field: "form", label: "Form" },
  lamp_color: { field: "lamp_color", label: "Lamp color" },
  card_picture: { field: "card_picture", label: "Picture on cards" },
  length_mm: { field: "dimensions.length_mm", label: "Length (mm)" },
  width_mm: { field: "dimensions.width_mm", label: "Width (mm)" },
  height_mm: { field: "dimensions.height_mm", label: "Height (mm)" },
  plug: { field: "plug", label: "Plug" },
  cable_length_mm: { field: "cable_length_mm", label: "Cable (mm)" },
  power_mw: { field: "power_mw", label: "Power (mW)" },
  brightness_lm: { field: "brightness_lm", label: "Brightness (lm)" },
  timekeeping_days: { field: "timekeeping_days", label: "Keeps time without Wi-Fi (days)" },
  led_color: { field: "led_color", label: "LED color" },
  in_the_box: { field: "in_the_box", label: "In the box" },
  warranty_months: { field: "warranty_months", label: "Warranty (months)" },
  sku: { field: "sku", label: "SKU" },
  gtin: { field: "gtin", label: "GTIN (UPC, EAN)" },
  origin_country: { field: "origin_country", label: "Country of origin" },
  hs_code: { field: "hs_code", label: "HS code" },
};

export const FACT_NAMES = Object.keys(FACTS) as FactName[];

type FactTexts = Record<FactName, string>;

/** The facts as typed. */
export function readFacts(valueOf: (field: string) => string): FactTexts {
  return textsOf((name) => valueOf(FACTS[name].field));
}

/** The texts of a product's facts for their fields. */
export function factTexts({ dimensions, in_the_box: items, ...facts }: Facts): FactTexts {
  const values: Partial<Record<FactName, string | number>> = { ...facts, ...dimensions, in_the_box: items?.join("\n") };
  return textsOf((name) => String(values[name] ?? ""));
}

function textsOf(textOf: (name: FactName) => string): FactTexts {
  return Object.fromEntries(FACT_NAMES.map((name) => [name, textOf(name)])) as FactTexts;
}

/** The facts that a product always has. */
type GivenFact = "form" | "lamp_color" | "card_picture" | "in_the_box";

/** The members of a patch that clear the facts whose fields are empty. */
export function clearedFacts(facts: Facts): Partial<Record<Exclude<keyof Facts, GivenFact>, null>> {
  const members = Object.values(FACTS).map(({ field }) => field.split(".")[0] as keyof Facts);
  return Object.fromEntries(members.filter((name) => facts[name] === undefined).map((name) => [name, null]));
}
