import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { fieldsOf, type Outcome } from "../../shared/outcome";
import { Button } from "../../shared/ui/button";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors } from "../../shared/use-field-errors";
import { ProductFields } from "./product-fields";
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
        <ProductFields errors={errors} />
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
