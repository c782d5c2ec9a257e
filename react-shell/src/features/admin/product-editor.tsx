import { useState } from "react";
import { useFetcher } from "react-router";
import { fieldsOf } from "../../shared/outcome";
import type { Product } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { Dialog } from "../../shared/ui/dialog";
import { Notice } from "../../shared/ui/notice";
import { useFieldErrors } from "../../shared/use-field-errors";
import { ConflictNotice } from "./conflict-notice";
import { productDifferences } from "./product-differences";
import { ProductFields } from "./product-fields";
import { checkProduct } from "./product-form";
import type { ProductOutcome } from "./save-product";

interface Props {
  product: Product;
  onClose: () => void;
  onSaved: (message: string) => void;
}

export function ProductEditor({ product, onClose, onSaved }: Props) {
  return (
    <Dialog title={`Edit ${product.name}`} isOpen onClose={onClose}>
      <EditForm product={product} onClose={onClose} onSaved={onSaved} />
    </Dialog>
  );
}

/** Everything but the count, over the version that was opened. */
function EditForm({ product, onClose, onSaved }: Props) {
  const [opened] = useState(product);
  const fetcher = useFetcher<ProductOutcome>();
  const isBusy = fetcher.state !== "idle";
  const outcome = isBusy ? undefined : fetcher.data;
  const { errors, formProps } = useFieldErrors(checkProduct, fieldsOf(outcome));
  const [seen, setSeen] = useState(outcome);
  if (outcome !== seen) {
    setSeen(outcome);
    if (outcome?.kind === "done") onSaved(outcome.message);
  }

  return (
    <fetcher.Form method="post" className="grid gap-4 sm:grid-cols-2" {...formProps}>
      <input type="hidden" name="intent" value="edit" />
      <input type="hidden" name="id" value={opened.id} />
      <input type="hidden" name="stock" value={opened.stock} />
      <input type="hidden" name="version" value={outcome?.current?.version ?? opened.version} />
      <ProductFields errors={errors} product={opened} />
      <div className="space-y-4 sm:col-span-full">
        {outcome?.kind === "failed" && outcome.current === undefined && <Notice kind="bad">{outcome.message}</Notice>}
        {outcome?.current && outcome.mine && (
          <ConflictNotice
            message={outcome.message}
            what="product"
            differences={productDifferences(outcome.mine, outcome.current)}
          >
            <Button onClick={onClose}>Take Theirs</Button>
            <Button type="submit">Keep Mine</Button>
          </ConflictNotice>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isBusy}>
            {isBusy ? "Saving..." : "Save Changes"}
          </Button>
        </div>
      </div>
    </fetcher.Form>
  );
}
