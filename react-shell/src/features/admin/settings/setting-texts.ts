import { formatMoney } from "../../../shared/rules";
import type { Settings } from "./api";
import { cutoffText } from "./cutoff";
import { dayRangeText } from "./day-range";

interface SettingText<Name extends keyof Settings> {
  label: string;
  /** The value in a few words. */
  text: (value: Settings[Name]) => string;
}

const TEXTS: { [Name in keyof Settings]: SettingText<Name> } = {
  shop_name: { label: "Shop name", text: String },
  support_email: { label: "Support email", text: String },
  seller_name: { label: "Seller", text: (name) => name ?? "none" },
  seller_address: { label: "Postal address", text: (address) => address ?? "none" },
  return_shipping: {
    label: "Return shipping",
    text: (payer) => (payer === "shop" ? "paid by the shop" : "paid by the customer"),
  },
  orders_email: { label: "Notification email", text: (email) => email ?? "none" },
  low_stock_email: { label: "Low-stock email", text: (email) => email ?? "the notification email" },
  time_zone: { label: "Time zone", text: String },
  shipping_rates: {
    label: "Shipping rates",
    text: ({ us, ca }) => `United States ${rateText(us)}, Canada ${rateText(ca)}`,
  },
  delivery_times: {
    label: "Delivery times",
    text: ({ handling, transit, cutoff_hour: cutoff }) =>
      `ships within ${dayRangeText(handling)}, United States ${dayRangeText(transit.US)}, ` +
      `Canada ${dayRangeText(transit.CA)} business days` +
      (cutoff === undefined ? "" : `, order cutoff: ${cutoffText(cutoff)}`),
  },
  announcement: { label: "Announcement", text: announcementText },
  contact: { label: "Contact", text: policyText },
  privacy: { label: "Privacy", text: policyText },
  terms: { label: "Terms", text: policyText },
  shipping_and_returns: { label: "Shipping and Returns", text: policyText },
};

/** Settings for which `null` isn’t a value: it stands for the default. */
const HAS_DEFAULT: ReadonlySet<string> = new Set([
  "shop_name",
  "support_email",
  "time_zone",
  "shipping_rates",
  "delivery_times",
  "return_shipping",
] satisfies (keyof Settings)[]);

const MAX_LENGTH = 80;

function announcementText(announcement: Settings["announcement"]): string {
  if (!announcement?.text) return "none";
  const { text, link, last_day } = announcement;
  return [text, link && `link ${link}`, last_day && `until ${last_day}`].filter(Boolean).join(", ");
}

/** The beginning of a policy. */
function policyText(markdown: string | null): string {
  if (markdown === null) return "standard text";
  return markdown.length > MAX_LENGTH ? `${markdown.slice(0, MAX_LENGTH)}…` : markdown;
}

function rateText({ first_pound, additional_pound }: Settings["shipping_rates"]["us"]): string {
  return `${formatMoney(first_pound)} + ${formatMoney(additional_pound)}`;
}

/** The name of a setting. One that only a newer version of the shop knows keeps its name in the API. */
export function settingLabel(name: string): string {
  return isSetting(name) ? TEXTS[name].label : name;
}

/** The value of a setting in a few words. */
export function settingText(name: string, value: unknown): string {
  if (value === null && HAS_DEFAULT.has(name)) return "default";
  // The value has the type of its name.
  return isSetting(name) ? (TEXTS[name].text as (value: unknown) => string)(value) : JSON.stringify(value);
}

function isSetting(name: string): name is keyof Settings {
  return Object.hasOwn(TEXTS, name);
}
