import { fieldValue } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { TextArea } from "../../../shared/ui/field";
import { FormResultNotice } from "../../../shared/ui/form-result-notice";
import { omitUndefined } from "../../../shared/use-field-errors";
import { useActionForm } from "../shared/use-action-form";

/** Adds an internal note to the order's timeline. */
export function NoteForm() {
  const { Form, formProps, errors, isBusy, result } = useActionForm(validate);
  return (
    <Form method="post" className="no-print mb-6 space-y-3" {...formProps}>
      <input type="hidden" name="intent" value="add-note" />
      <TextArea
        label="Internal note"
        hint="Only administrators see notes. They can’t be changed or deleted."
        name="note"
        rows={2}
        maxLength={2000}
        error={errors["note"]}
      />
      <Button type="submit" disabled={isBusy}>
        {isBusy ? "Adding..." : "Add Note"}
      </Button>
      <FormResultNotice result={result} />
    </Form>
  );
}

function validate(values: FormData) {
  return omitUndefined({ note: fieldValue(values, "note").trim() === "" ? "Enter a note." : undefined });
}
