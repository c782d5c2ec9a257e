import { TextField } from "../../../shared/ui/field";
import type { SectionFieldsProps } from "./settings-section";

export function AnnouncementFields({ settings, errors }: SectionFieldsProps) {
  const { announcement } = settings.settings;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        className="sm:col-span-full"
        label="Text"
        name="announcement.text"
        autoComplete="off"
        maxLength={200}
        isOptional
        hint="Shown above every public page until a visitor dismisses it. Leave it empty for no announcement."
        defaultValue={announcement?.text ?? ""}
        error={errors["announcement.text"]}
      />
      <TextField
        label="Link"
        name="announcement.link"
        autoComplete="off"
        isOptional
        hint="Like /products or https://example.com."
        defaultValue={announcement?.link ?? ""}
        error={errors["announcement.link"]}
      />
      <TextField
        label="Last day"
        name="announcement.last_day"
        type="date"
        hint="It’s shown through this day, in the shop’s time zone."
        isOptional
        defaultValue={announcement?.last_day ?? ""}
        error={errors["announcement.last_day"]}
      />
    </div>
  );
}
