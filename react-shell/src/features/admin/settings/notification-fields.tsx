import { LockableField } from "./lockable-field";
import type { SectionFieldsProps } from "./settings-section";

export function NotificationFields({ settings, errors }: SectionFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <LockableField
        settings={settings}
        label="Notification Email"
        name="orders_email"
        type="email"
        autoComplete="off"
        isOptional
        hint="Gets an email for each new order and each alert."
        defaultValue={settings.settings.orders_email ?? ""}
        error={errors["orders_email"]}
      />
    </div>
  );
}
