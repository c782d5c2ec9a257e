import { formatMoney } from "../../../shared/rules";
import type { MergeField, Values } from "../shared/merge-edit";
import type { Settings } from "./api";
import { dayRangeText } from "./day-range";
import type { Section } from "./read-section";

/** The values of all sections' forms. */
export function settingValues({
  announcement,
  shipping_rates: rates,
  delivery_times: times,
  ...rest
}: Settings): Values {
  return {
    shop_name: rest.shop_name,
    support_email: rest.support_email,
    seller_name: rest.seller_name ?? "",
    seller_address: rest.seller_address ?? "",
    return_shipping: rest.return_shipping,
    time_zone: rest.time_zone,
    orders_email: rest.orders_email ?? "",
    low_stock_email: rest.low_stock_email ?? "",
    "announcement.text": announcement?.text ?? "",
    "announcement.link": announcement?.link ?? "",
    "announcement.last_day": announcement?.last_day ?? "",
    "shipping_rates.us.first_pound": amount(rates.us.first_pound),
    "shipping_rates.us.additional_pound": amount(rates.us.additional_pound),
    "shipping_rates.ca.first_pound": amount(rates.ca.first_pound),
    "shipping_rates.ca.additional_pound": amount(rates.ca.additional_pound),
    "delivery_times.handling": dayRangeText(times.handling),
    "delivery_times.transit.US": dayRangeText(times.transit.US),
    "delivery_times.transit.CA": dayRangeText(times.transit.CA),
    "delivery_times.cutoff_hour": String(times.cutoff_hour),
  };
}

function amount(dollars: number): string {
  return dollars.toFixed(2);
}

/** The fields of each section. */
export const SECTION_FIELDS: Record<Section, readonly MergeField[]> = {
  shop: [
    field("Shop name", "shop_name"),
    field("Support email", "support_email"),
    field("Seller", "seller_name"),
    field("Postal address", "seller_address"),
    field("Return shipping", "return_shipping"),
  ],
  "time-zone": [field("Time zone", "time_zone")],
  announcement: [
    field("Text", "announcement.text"),
    field("Link", "announcement.link"),
    field("Last day", "announcement.last_day"),
  ],
  shipping: [
    money("United States, first pound", "shipping_rates.us.first_pound"),
    money("United States, each additional pound", "shipping_rates.us.additional_pound"),
    field("United States, delivery", "delivery_times.transit.US"),
    money("Canada, first pound", "shipping_rates.ca.first_pound"),
    money("Canada, each additional pound", "shipping_rates.ca.additional_pound"),
    field("Canada, delivery", "delivery_times.transit.CA"),
    field("Ships within", "delivery_times.handling"),
    field("Order cutoff", "delivery_times.cutoff_hour"),
  ],
  notifications: [field("Notification email", "orders_email"), field("Low-stock email", "low_stock_email")],
};

function field(label: string, name: string): MergeField {
  return { label, names: [name], text: (values) => values[name] || "none" };
}

function money(label: string, name: string): MergeField {
  return { label, names: [name], text: (values) => formatMoney(Number(values[name])) };
}
