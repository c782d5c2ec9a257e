import { LockableField } from "./lockable-field";
import type { SectionFieldsProps } from "./settings-section";

export function NotificationFields({ settings, errors }: SectionFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LockableField
        settings={settings}
        label="Notification email"
        name="orders_email"
        type="email"
        autoComplete="off"
        isOptional
        hint="Receives an email for every new order and alert."
        defaultValue={settings.settings.orders_email ?? ""}
        error={errors["orders_email"]}
      />
      <LockableField
        settings={settings}
        label="Low-stock email"
        name="low_stock_email"
        type="email"
        autoComplete="off"
        isOptional
        hint="Gets at most one email a day about low stock. Leave it empty to use the notification email."
        defaultValue={settings.settings.low_stock_email ?? ""}
        error={errors["low_stock_email"]}
      />
    </div>
  );
}
