import { useEffect, useId, useRef, useState, type ComponentType } from "react";
import { useFetcher } from "react-router";
import { isFocusLost } from "../../../shared/focus";
import { fieldErrorsOf } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { FormResultNotice } from "../../../shared/ui/form-result-notice";
import { Card } from "../../../shared/ui/page";
import { useFieldErrors, type FieldErrors } from "../../../shared/use-field-errors";
import { ConflictNotice } from "../shared/conflict-notice";
import { MergeInputs } from "../shared/merge-inputs";
import type { SettingsVersion } from "./api";
import { checkSection, type Section } from "./read-section";
import type { SaveSettingsResult } from "./save-settings";
import { SECTION_FIELDS, settingValues } from "./setting-values";

export interface SectionFieldsProps {
  settings: SettingsVersion;
  errors: FieldErrors;
  /** Whether the section is being saved. */
  isSaving: boolean;
}

interface Props {
  title: string;
  section: Section;
  settings: SettingsVersion;
  Fields: ComponentType<SectionFieldsProps>;
}

/** A section with its form. It sends the version that it shows, to detect conflicts (optimistic concurrency). */
export function SettingsSection({ title, section, settings, Fields }: Props) {
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [opened, setOpened] = useState(settings);
  /** What the fields started with. They stay after a save, unless it has changes of someone else. */
  const [shown, setShown] = useState(settings);
  const [theirs, setTheirs] = useState<SettingsVersion>();
  const fetcher = useFetcher<SaveSettingsResult>();
  const result = fetcher.data;
  const isBusy = fetcher.state !== "idle";
  const { errors, formProps } = useFieldErrors((form) => checkSection(section, form), fieldErrorsOf(result));
  const [handled, setHandled] = useState(result);
  if (result !== handled) {
    setHandled(result);
    const met = result?.theirs ?? theirs;
    const current = result?.saved ?? met;
    setTheirs(result?.kind === "succeeded" ? undefined : met);
    if (result?.kind === "succeeded" && current) setOpened(current);
    if (result?.kind === "succeeded" && met && current) setShown(current);
  }
  useEffect(() => {
    // The buttons of a conflict are gone once it is resolved.
    if (result && isFocusLost()) heading.current?.focus();
  }, [result]);

  const names = SECTION_FIELDS[section].flatMap((field) => field.names);
  const conflict = result?.conflict;
  const isLocked = names.every((name) => settings.locked[name] !== undefined);
  return (
    <Card>
      <h2 id={headingId} ref={heading} tabIndex={-1} className="mb-4 text-xl">
        {title}
      </h2>
      <fetcher.Form method="post" aria-labelledby={headingId} className="space-y-4" {...formProps}>
        <input type="hidden" name="section" value={section} />
        <MergeInputs opened={settingValues(opened.settings)} version={opened.version} conflict={conflict} />
        <Fields key={shown.version} settings={shown} errors={errors} isSaving={isBusy} />
        {result?.kind === "failed" && conflict ? (
          <ConflictNotice
            message={result.message}
            subject="settings"
            differences={conflict.differences}
            isBusy={isBusy}
          />
        ) : (
          !isBusy && <FormResultNotice result={result} />
        )}
        {!isLocked && !conflict && (
          <Button type="submit" variant="primary" disabled={isBusy}>
            {isBusy ? "Saving..." : "Save Changes"}
          </Button>
        )}
      </fetcher.Form>
    </Card>
  );
}
