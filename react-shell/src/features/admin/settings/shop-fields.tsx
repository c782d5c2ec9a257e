import { SelectField, TextField } from "../../../shared/ui/field";
import { LockableField } from "./lockable-field";
import type { SectionFieldsProps } from "./settings-section";

export function ShopFields({ settings, errors }: SectionFieldsProps) {
  const { shop_name, support_email, seller_name, seller_address, return_shipping } = settings.settings;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LockableField
        settings={settings}
        label="Shop name"
        name="shop_name"
        autoComplete="off"
        maxLength={60}
        defaultValue={shop_name}
        error={errors["shop_name"]}
      />
      <LockableField
        settings={settings}
        label="Support email"
        name="support_email"
        type="email"
        autoComplete="off"
        hint="Shown to customers. All email is sent from this address."
        defaultValue={support_email}
        error={errors["support_email"]}
      />
      <TextField
        label="Seller"
        name="seller_name"
        autoComplete="off"
        maxLength={100}
        hint="The legal name of your company, or your own. Shown on every page and in every email."
        defaultValue={seller_name ?? ""}
        error={errors["seller_name"]}
      />
      <TextField
        label="Postal address"
        name="seller_address"
        autoComplete="off"
        maxLength={200}
        hint="On one line, with the country."
        defaultValue={seller_address ?? ""}
        error={errors["seller_address"]}
      />
      <SelectField label="Return shipping" name="return_shipping" required={false} defaultValue={return_shipping}>
        <option value="customer">Customer pays, except for defects</option>
        <option value="shop">Shop pays</option>
      </SelectField>
    </div>
  );
}
