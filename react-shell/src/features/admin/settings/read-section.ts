import { fieldValue } from "../../../shared/form-result";
import { omitUndefined, type FieldErrors } from "../../../shared/use-field-errors";
import type { SettingsPatch } from "./api";
import { INVALID_DAYS, readDayRange, type DayRange } from "./day-range";

/** The sections of the page, each with a form of its own. */
export type Section = "shop" | "time-zone" | "announcement" | "shipping" | "notifications";

/** The settings in the form of a section. */
export function readSection(section: Section, form: FormData): SettingsPatch {
  const text = (name: string) => fieldValue(form, name);
  switch (section) {
    case "shop":
      return { shop_name: text("shop_name"), support_email: text("support_email") };
    case "time-zone":
      return { time_zone: text("time_zone") };
    case "shipping":
      return readShipping(form);
    case "announcement":
      return {
        announcement: {
          text: text("announcement.text"),
          link: text("announcement.link"),
          last_day: text("announcement.last_day"),
        },
      };
    case "notifications":
      return { orders_email: text("orders_email"), low_stock_email: text("low_stock_email") };
  }
}

function readShipping(form: FormData): SettingsPatch {
  const rate = (country: "us" | "ca") => ({
    first_pound: Number(fieldValue(form, `shipping_rates.${country}.first_pound`)),
    additional_pound: Number(fieldValue(form, `shipping_rates.${country}.additional_pound`)),
  });
  const days = (name: string): DayRange => readDayRange(fieldValue(form, `delivery_times.${name}`)) ?? NO_DAYS;
  return {
    shipping_rates: { us: rate("us"), ca: rate("ca") },
    delivery_times: { handling: days("handling"), transit: { US: days("transit.US"), CA: days("transit.CA") } },
  };
}

/** Never sent: such a form has an error. */
const NO_DAYS: DayRange = { min: 0, max: 0 };

const REQUIRED: Record<Section, Record<string, string>> = {
  shop: { shop_name: "Enter the shop’s name.", support_email: "Enter the support email." },
  "time-zone": { time_zone: "Choose a time zone." },
  announcement: {},
  shipping: {},
  notifications: {},
};

/** Checks for missing values and malformed numbers. The server applies all other rules. */
export function checkSection(section: Section, form: FormData): FieldErrors {
  const required = Object.entries(REQUIRED[section]).map(([name, message]) => [
    name,
    fieldValue(form, name).trim() === "" ? message : undefined,
  ]);
  return omitUndefined({ ...Object.fromEntries(required), ...(section === "shipping" && shippingErrors(form)) });
}

function shippingErrors(form: FormData): Record<string, string | undefined> {
  const amounts = ["us", "ca"].flatMap((country) =>
    ["first_pound", "additional_pound"].map((pound) => `shipping_rates.${country}.${pound}`),
  );
  const days = ["handling", "transit.US", "transit.CA"].map((name) => `delivery_times.${name}`);
  return Object.fromEntries([
    ...amounts.map((name) => [name, fieldValue(form, name) === "" ? "Enter an amount." : undefined]),
    ...days.map((name) => [name, readDayRange(fieldValue(form, name)) ? undefined : INVALID_DAYS]),
  ]);
}
