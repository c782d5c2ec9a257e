import { useEffect, useId, useRef, useState, type ComponentType } from "react";
import { useFetcher } from "react-router";
import { isFocusLost } from "../../../shared/focus";
import { fieldErrorsOf } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { FormResultNotice } from "../../../shared/ui/form-result-notice";
import { Card } from "../../../shared/ui/page";
import { useFieldErrors, type FieldErrors } from "../../../shared/use-field-errors";
import { ConflictNotice } from "../shared/conflict-notice";
import type { SettingsVersion } from "./api";
import { checkSection, type Section } from "./read-section";
import type { SaveSettingsResult } from "./save-settings";
import { settingDifferences } from "./setting-texts";

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
  const [version, setVersion] = useState(settings.version);
  const [dismissed, setDismissed] = useState<SaveSettingsResult>();
  const fetcher = useFetcher<SaveSettingsResult>();
  const result = fetcher.data === dismissed ? undefined : fetcher.data;
  const isBusy = fetcher.state !== "idle";
  const { errors, formProps } = useFieldErrors((form) => checkSection(section, form), fieldErrorsOf(result));
  const [handled, setHandled] = useState(result);
  if (result !== handled) {
    setHandled(result);
    if (result?.saved) setVersion(result.saved.version);
  }
  useEffect(() => {
    // The buttons of a conflict are gone once it is resolved.
    if (result && isFocusLost()) heading.current?.focus();
  }, [result]);

  function takeTheirs(theirs: SettingsVersion) {
    setOpened(theirs);
    setVersion(theirs.version);
    setDismissed(result);
    heading.current?.focus();
  }

  const { current, mine } = result ?? {};
  return (
    <Card>
      <h2 id={headingId} ref={heading} tabIndex={-1} className="mb-4 text-xl">
        {title}
      </h2>
      <fetcher.Form method="post" aria-labelledby={headingId} className="space-y-4" {...formProps}>
        <input type="hidden" name="section" value={section} />
        <input type="hidden" name="version" value={current?.version ?? version} />
        <Fields key={opened.version} settings={opened} errors={errors} isSaving={isBusy} />
        {current && mine ? (
          <ConflictNotice
            message={result?.kind === "failed" ? result.message : ""}
            subject="settings"
            differences={settingDifferences(mine, current.settings)}
          >
            <Button onClick={() => takeTheirs(current)}>Take Theirs</Button>
            <Button type="submit" disabled={isBusy}>
              Keep Mine
            </Button>
          </ConflictNotice>
        ) : (
          !isBusy && <FormResultNotice result={result} />
        )}
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "Saving..." : "Save Changes"}
        </Button>
      </fetcher.Form>
    </Card>
  );
}
