import { fieldValue } from "../../../shared/form-result";
import { checkEmail, formatMoney, parseDayRange, parseMoney } from "../../../shared/rules";
import type { FieldErrors } from "../../../shared/use-field-errors";
import type { SettingsPatch } from "./api";

/** The sections of the page, each with a form of its own. */
export type Section = "shop" | "time-zone" | "announcement" | "shipping" | "notifications";

/** Highest shipping rate, in dollars. */
const MAX_RATE = 999.99;

type Parsed<T> = { ok: true; value: T } | { ok: false; error: string };
/** Reads a field. The value of an invalid one is never used, because the form has an error. */
type Read = <T>(name: string, parse: (typed: string) => Parsed<T>, invalid: T) => T;

/** The settings in the values of a section, or its errors. The rules that the server has are applied
 * here where a section would otherwise show its errors one after the other. */
export function readSection(
  section: Section,
  valueOf: (name: string) => string,
): { ok: true; value: SettingsPatch } | { ok: false; fields: FieldErrors } {
  const fields: FieldErrors = {};
  const value = settingsOf(section, (name, parse, invalid) => {
    const parsed = parse(valueOf(name));
    if (parsed.ok) return parsed.value;
    fields[name] = parsed.error;
    return invalid;
  });
  return Object.keys(fields).length === 0 ? { ok: true, value } : { ok: false, fields };
}

export function checkSection(section: Section, form: FormData): FieldErrors {
  const read = readSection(section, (name) => fieldValue(form, name));
  return read.ok ? {} : read.fields;
}

function settingsOf(section: Section, read: Read): SettingsPatch {
  const text = (name: string) => read(name, anyText, "");
  const required = (name: string, message: string) => read(name, (typed) => requiredText(typed, message), "");
  switch (section) {
    case "shop":
      return {
        shop_name: required("shop_name", "Enter the shop’s name."),
        support_email: read("support_email", emailText, ""),
        seller_name: text("seller_name"),
        seller_address: text("seller_address"),
        return_shipping: text("return_shipping") === "shop" ? "shop" : "customer",
      };
    case "time-zone":
      return { time_zone: required("time_zone", "Choose a time zone.") };
    case "shipping":
      return shippingOf(read);
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

function shippingOf(read: Read): SettingsPatch {
  const rate = (country: "us" | "ca") => ({
    first_pound: read(`shipping_rates.${country}.first_pound`, parseRate, 0),
    additional_pound: read(`shipping_rates.${country}.additional_pound`, parseRate, 0),
  });
  const days = (name: string) => read(`delivery_times.${name}`, parseDayRange, { min: 0, max: 0 });
  return {
    shipping_rates: { us: rate("us"), ca: rate("ca") },
    delivery_times: {
      handling: days("handling"),
      transit: { US: days("transit.US"), CA: days("transit.CA") },
      cutoff_hour: read("delivery_times.cutoff_hour", parseHour, 0),
    },
  };
}

/** As the server does. */
function parseRate(typed: string): Parsed<number> {
  const amount = parseMoney(typed);
  if (!amount.ok || (amount.value >= 0 && amount.value <= MAX_RATE)) return amount;
  return { ok: false, error: `Enter an amount from $0.00 to ${formatMoney(MAX_RATE)}.` };
}

function parseHour(typed: string): Parsed<number> {
  const isHour = /^\d{1,2}$/.test(typed.trim()) && Number(typed) <= 24;
  return isHour ? { ok: true, value: Number(typed) } : { ok: false, error: "Enter an hour from 0 to 24." };
}

function emailText(typed: string): Parsed<string> {
  const error = typed.trim() === "" ? "Enter the support email." : checkEmail(typed);
  return error === undefined ? { ok: true, value: typed } : { ok: false, error };
}

function anyText(typed: string): Parsed<string> {
  return { ok: true, value: typed };
}

function requiredText(typed: string, message: string): Parsed<string> {
  return typed.trim() === "" ? { ok: false, error: message } : { ok: true, value: typed };
}
