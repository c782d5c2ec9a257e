import { Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { fieldErrorsOf, type FormResult } from "../../../shared/form-result";
import { Button } from "../../../shared/ui/button";
import { Dialog } from "../../../shared/ui/dialog";
import { FormResultNotice } from "../../../shared/ui/form-result-notice";
import { useFieldErrors } from "../../../shared/use-field-errors";
import { ProductFields } from "./product-fields";
import { checkProduct } from "./product-form";

/** Button that opens the form of a new product in a dialog. */
export function AddProduct({ onAdded }: { onAdded: (message: string) => void }) {
  const [isOpen, setOpen] = useState(false);

  function finish(message: string) {
    setOpen(false);
    onAdded(message);
  }

  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-5" />
        Add Product
      </Button>
      <Dialog title="Add New Product" isOpen={isOpen} onClose={() => setOpen(false)}>
        <NewProductForm onAdded={finish} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function NewProductForm({ onAdded, onClose }: { onAdded: (message: string) => void; onClose: () => void }) {
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.state === "idle" ? fetcher.data : undefined;
  const { errors, formProps } = useFieldErrors(checkProduct, fieldErrorsOf(result));
  const handled = useRef<FormResult>(undefined);
  useEffect(() => {
    if (result?.kind !== "succeeded" || handled.current === result) return;
    handled.current = result;
    onAdded(result.message);
  }, [result, onAdded]);

  return (
    <fetcher.Form method="post" className="grid gap-4 sm:grid-cols-2" {...formProps}>
      <input type="hidden" name="intent" value="add" />
      <ProductFields errors={errors} />
      <div className="space-y-4 sm:col-span-full">
        <FormResultNotice result={result?.kind === "failed" ? result : undefined} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={fetcher.state !== "idle"}>
            {fetcher.state === "idle" ? "Add Product" : "Adding..."}
          </Button>
        </div>
      </div>
    </fetcher.Form>
  );
}
