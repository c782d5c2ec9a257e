import { text } from "./outcome";
import type { Address } from "./rules";

/** The fields of an address, named as the rules and the server name them in their errors. */
export const ADDRESS_FIELDS = [
  "name",
  "phone",
  "address.line1",
  "address.line2",
  "address.city",
  "address.state",
  "address.postal_code",
  "address.country",
] as const;

export type AddressField = (typeof ADDRESS_FIELDS)[number];
export type TypedAddress = Partial<Record<AddressField, string>>;

/** What was typed, as typed. */
export function typedAddress(form: FormData): TypedAddress {
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, text(form, field)]));
}

/** The address in the form in which it travels. */
export function toAddress(typed: TypedAddress): Address {
  const of = (field: AddressField) => typed[field] ?? "";
  return {
    name: of("name"),
    ...optional("phone", of("phone")),
    address: {
      line1: of("address.line1"),
      ...optional("line2", of("address.line2")),
      city: of("address.city"),
      state: of("address.state"),
      postal_code: of("address.postal_code"),
      country: of("address.country") === "CA" ? "CA" : "US",
    },
  };
}

export function fromAddress({ name, phone, address }: Address): TypedAddress {
  return {
    name,
    phone: phone ?? "",
    "address.line1": address.line1,
    "address.line2": address.line2 ?? "",
    "address.city": address.city,
    "address.state": address.state,
    "address.postal_code": address.postal_code,
    "address.country": address.country,
  };
}

function optional<Key extends string>(key: Key, value: string): Partial<Record<Key, string>> {
  return value.trim() === "" ? {} : ({ [key]: value } as Record<Key, string>);
}

/** The address in one line, for a step that is done. */
export function addressLine({ name, address }: Address): string {
  const { line1, line2, city, state, postal_code: code, country } = address;
  return [name, line1, line2, city, `${state} ${code}`, country].filter(Boolean).join(", ");
}
