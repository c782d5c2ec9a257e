import { LockableField } from "./lockable-field";
import type { SectionFieldsProps } from "./settings-section";

export function ShopFields({ settings, errors }: SectionFieldsProps) {
  const { shop_name, support_email } = settings.settings;
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
    </div>
  );
}
