import type { Product } from "../../../shared/rules";
import { fieldValue } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { TextField } from "../../../shared/ui/field";
import { FormResultNotice } from "../../../shared/ui/form-result-notice";
import { Card } from "../../../shared/ui/page";
import { omitUndefined } from "../../../shared/use-field-errors";
import { useActionForm } from "../shared/use-action-form";

const MAX = 1_000_000;

/** Adds received units to the stock. */
export function ReceiveForm() {
  const { Form, formProps, errors, isBusy, result } = useActionForm((form) =>
    omitUndefined({ quantity: wholeNumberError(fieldValue(form, "quantity"), 1) }),
  );
  return (
    <Card>
      <h2 className="mb-4 text-xl">Receive</h2>
      <Form method="post" className="space-y-4" {...formProps}>
        <input type="hidden" name="intent" value="receive" />
        <TextField
          label="Units received"
          name="quantity"
          inputMode="numeric"
          autoComplete="off"
          error={errors["quantity"]}
        />
        <TextField label="Note" isOptional name="note" maxLength={200} autoComplete="off" error={errors["note"]} />
        <FormResultNotice result={result} />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? "Saving..." : "Add to Stock"}
        </Button>
      </Form>
    </Card>
  );
}

/** Sets the stock to a counted number. Sales since the page was loaded are kept: the server applies the difference. */
export function CorrectForm({ product }: { product: Product }) {
  const { Form, formProps, errors, isBusy, result } = useActionForm((form) =>
    omitUndefined({
      counted: wholeNumberError(fieldValue(form, "counted"), 0),
      reason: fieldValue(form, "reason").trim() === "" ? "Enter a reason." : undefined,
    }),
  );
  return (
    <Card>
      <h2 className="mb-4 text-xl">Correct the count</h2>
      <Form method="post" className="space-y-4" {...formProps}>
        <input type="hidden" name="intent" value="correct" />
        <input type="hidden" name="was" value={product.stock} />
        <TextField
          label="Units counted"
          name="counted"
          inputMode="numeric"
          autoComplete="off"
          hint="Don’t count units for orders you haven’t packed yet."
          error={errors["counted"]}
        />
        <TextField label="Reason" name="reason" maxLength={200} autoComplete="off" error={errors["reason"]} />
        <FormResultNotice result={result} />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? "Saving..." : "Correct Stock"}
        </Button>
      </Form>
    </Card>
  );
}

/** The number of available units at which the shopkeeper gets an email. */
export function ThresholdForm({ threshold }: { threshold: number | null }) {
  const { Form, formProps, errors, isBusy, result } = useActionForm((form) => {
    const typed = fieldValue(form, "threshold");
    return omitUndefined({ threshold: typed.trim() === "" ? undefined : wholeNumberError(typed, 0) });
  });
  return (
    <Card>
      <h2 className="mb-4 text-xl">Low-stock alert</h2>
      <Form method="post" className="space-y-4" {...formProps}>
        <input type="hidden" name="intent" value="threshold" />
        <TextField
          label="Alert at or below"
          isOptional
          name="threshold"
          inputMode="numeric"
          autoComplete="off"
          placeholder="4"
          defaultValue={threshold ?? ""}
          hint="Available units. At most one email a day lists all products with low stock."
          error={errors["threshold"]}
        />
        <FormResultNotice result={result} />
        <Button type="submit" disabled={isBusy}>
          {isBusy ? "Saving..." : "Save Threshold"}
        </Button>
      </Form>
    </Card>
  );
}

function wholeNumberError(typed: string, min: number): string | undefined {
  const number = /^\d{1,7}$/.test(typed.trim()) ? Number(typed) : Number.NaN;
  return number >= min && number <= MAX ? undefined : `Enter a number from ${min} to 1,000,000.`;
}
