import { fieldValue } from "./form-result";
import type { Address } from "./rules";
import type { FieldErrors } from "./use-field-errors";

/** Form field names of an address, identical to the field names in validation errors. */
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

type AddressField = (typeof ADDRESS_FIELDS)[number];
export type TypedAddress = Partial<Record<AddressField, string>>;

/** The address fields of a form, as typed. */
export function typedAddress(form: FormData): TypedAddress {
  return Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, fieldValue(form, field)]));
}

/** Converts form fields to the JSON shape of an address. */
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

/** Maps the field names of a request, like `shippingAddress.name`, to those of the address form. */
export function withoutPrefix(fields: FieldErrors, prefix: string): FieldErrors {
  return Object.fromEntries(
    Object.entries(fields).map(([name, message]) => [
      name.startsWith(prefix) ? name.slice(prefix.length) : name,
      message,
    ]),
  );
}

/** The address as printed on the package, a line each for name, street, city and country. */
export function addressLabel({ name, address }: Address): string {
  const { line1, line2, city, state, postal_code: code, country } = address;
  const lines = [name, line1, line2, `${city}, ${state} ${code}`, country === "CA" ? "Canada" : "United States"];
  return lines.filter(Boolean).join("\n");
}

/** The address on a single line. */
export function addressLine({ name, address }: Address): string {
  const { line1, line2, city, state, postal_code: code, country } = address;
  return [name, line1, line2, city, `${state} ${code}`, country].filter(Boolean).join(", ");
}
