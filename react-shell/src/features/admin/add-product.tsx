import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import { fieldErrorsOf, type FormResult } from "../../shared/form-result";
import { Button } from "../../shared/ui/button";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors } from "../../shared/use-field-errors";
import { ProductFields } from "./product-fields";
import { checkProduct } from "./product-form";

export function AddProduct() {
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.state === "idle" ? fetcher.data : undefined;
  const { errors, formProps } = useFieldErrors(checkProduct, fieldErrorsOf(result));
  const form = formProps.ref;
  const handled = useRef<FormResult>(undefined);
  useEffect(() => {
    if (result?.kind !== "succeeded" || handled.current === result) return;
    handled.current = result;
    form.current?.reset();
  }, [result, form]);

  return (
    <Card>
      <h2 className="mb-4 text-xl">Add New Product</h2>
      <fetcher.Form method="post" className="grid gap-4 sm:grid-cols-3" {...formProps}>
        <input type="hidden" name="intent" value="add" />
        <ProductFields errors={errors} />
        <div className="space-y-4 sm:col-span-3">
          <FormResultNotice result={result} />
          <Button type="submit" variant="primary" disabled={fetcher.state !== "idle"}>
            {fetcher.state === "idle" ? "Add Product" : "Adding..."}
          </Button>
        </div>
      </fetcher.Form>
    </Card>
  );
}
