import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { fieldsOf, type Outcome } from "../../shared/outcome";
import { Button } from "../../shared/ui/button";
import { CheckboxField, TextArea, TextField } from "../../shared/ui/field";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors } from "../../shared/use-field-errors";
import { checkProduct } from "./product-form";

export function AddProduct() {
  const fetcher = useFetcher<Outcome>();
  const outcome = fetcher.state === "idle" ? fetcher.data : undefined;
  const { errors, formProps } = useFieldErrors(checkProduct, fieldsOf(outcome));
  const form = formProps.ref;
  const cleared = useRef<Outcome>(undefined);
  useEffect(() => {
    if (outcome?.kind !== "done" || cleared.current === outcome) return;
    cleared.current = outcome;
    form.current?.reset();
  }, [outcome, form]);

  return (
    <Card>
      <h2 className="mb-4 text-xl">Add New Product</h2>
      <fetcher.Form method="post" className="grid gap-4 sm:grid-cols-3" {...formProps}>
        <input type="hidden" name="intent" value="add" />
        <TextField className="sm:col-span-3" label="Name" name="name" maxLength={80} error={errors["name"]} />
        <TextArea
          className="sm:col-span-3"
          label="Description"
          name="description"
          rows={3}
          error={errors["description"]}
        />
        <TextField
          label="Price (US dollars)"
          name="price"
          type="number"
          step="0.01"
          min="0.01"
          inputMode="decimal"
          error={errors["price"]}
        />
        <TextField
          label="Stock"
          name="stock"
          type="number"
          step="1"
          min="0"
          inputMode="numeric"
          error={errors["stock"]}
        />
        <TextField
          label="Weight (pounds)"
          name="weight_pounds"
          type="number"
          step="0.01"
          min="0.01"
          inputMode="decimal"
          error={errors["weight_pounds"]}
        />
        <div className="sm:col-span-3">
          <CheckboxField label="On sale" name="active" defaultChecked />
        </div>
        <div className="space-y-4 sm:col-span-3">
          <OutcomeNotice outcome={outcome} />
          <Button type="submit" look="primary" disabled={fetcher.state !== "idle"}>
            {fetcher.state === "idle" ? "Add Product" : "Adding..."}
          </Button>
        </div>
      </fetcher.Form>
    </Card>
  );
}
