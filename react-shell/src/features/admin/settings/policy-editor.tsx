import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { isFocusLost } from "../../../shared/focus";
import { fieldErrorsOf } from "../../../shared/form-result";
import type { Policy } from "../../../shared/policies";
import { Button } from "../../../shared/ui/button";
import { TextArea } from "../../../shared/ui/field";
import { FormResultNotice } from "../../../shared/ui/form-result-notice";
import { Notice } from "../../../shared/ui/notice";
import { Card } from "../../../shared/ui/page";
import { useFieldErrors } from "../../../shared/use-field-errors";
import type { PolicyText, SettingChanges } from "./api";
import { PolicyHistory } from "./policy-history";
import { PolicyPreview } from "./policy-preview";
import type { SavePolicyResult } from "./save-policy";

interface Props {
  policy: Policy;
  text: PolicyText;
  history: SettingChanges;
}

const FIELD = "policy-text";
const PLACEHOLDERS = [
  "{shop_name}",
  "{support_email}",
  "{seller}",
  "{postal_address}",
  "{shipping_rates}",
  "{return_shipping}",
  "{services}",
];

/** Edits the Markdown of a policy. It sends the version that was opened, to detect conflicts. */
export function PolicyEditor({ policy, text, history }: Props) {
  const [markdown, setMarkdown] = useState(text.markdown);
  const [version, setVersion] = useState(text.version);
  const fetcher = useFetcher<SavePolicyResult>();
  const isBusy = fetcher.state !== "idle";
  const result = fetcher.data;
  const { errors, formProps } = useFieldErrors(() => ({}), fieldErrorsOf(result));
  const [handled, setHandled] = useState(result);
  if (result !== handled) {
    setHandled(result);
    const latest = result?.saved ?? result?.current;
    if (latest) setVersion(latest.version);
  }
  useEffect(() => {
    if (result && isFocusLost()) focusText();
  }, [result]);

  /** Fills in an earlier text, which is saved like any other. */
  function restore(earlier: string) {
    setMarkdown(earlier);
    focusText();
  }

  return (
    <div className="space-y-6">
      <Card>
        <fetcher.Form method="post" className="space-y-4" {...formProps}>
          <input type="hidden" name="version" value={version} />
          <input type="hidden" name="standard" value={text.standard} />
          <TextArea
            label="Text (Markdown)"
            name="markdown"
            id={FIELD}
            rows={20}
            maxLength={20_000}
            isOptional
            value={markdown}
            onChange={(event) => setMarkdown(event.target.value)}
            hint={<Placeholders />}
            error={errors["markdown"]}
          />
          {result?.current ? (
            <Notice kind="warning">
              <p className="font-semibold">These settings were changed by someone else.</p>
              <p>Their text is the first one in the history. Save again to replace it with yours.</p>
            </Notice>
          ) : (
            !isBusy && <FormResultNotice result={result} />
          )}
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="primary" disabled={isBusy}>
              {isBusy ? "Saving..." : "Save Changes"}
            </Button>
            <Button onClick={() => restore(text.standard)} disabled={markdown === text.standard}>
              Use Standard Text
            </Button>
          </div>
        </fetcher.Form>
      </Card>
      <PolicyPreview key={policy} markdown={markdown} />
      <PolicyHistory history={history} standard={text.standard} onRestore={restore} />
    </div>
  );
}

function focusText(): void {
  document.getElementById(FIELD)?.focus();
}

function Placeholders() {
  return (
    <>
      Placeholders:{" "}
      {PLACEHOLDERS.map((name, index) => (
        <span key={name}>
          {index > 0 && ", "}
          <code className="font-mono">{name}</code>
        </span>
      ))}
      . HTML is shown as text.
    </>
  );
}
