import { useEffect, useState } from "react";
import { useFetcher, useRevalidator } from "react-router";
import { fieldErrorsOf } from "../../../shared/form-result";
import type { Product } from "../../../shared/rules";
import { Button } from "../../../shared/ui/button";
import { Dialog } from "../../../shared/ui/dialog";
import { Notice } from "../../../shared/ui/notice";
import { useFieldErrors } from "../../../shared/use-field-errors";
import { ConflictNotice } from "../shared/conflict-notice";
import { MergeInputs } from "../shared/merge-inputs";
import { PhotoManager } from "./photos/photo-manager";
import { ProductFields } from "./product-fields";
import { checkProduct, productValues } from "./product-form";
import type { SaveProductResult } from "./save-product";

type FailedSave = Extract<SaveProductResult, { kind: "failed" }>;

interface Props {
  product: Product;
  onClose: () => void;
  onSaved: (message: string) => void;
}

/** Edits all fields but the stock. Sends the opened version to detect conflicts (optimistic concurrency). */
export function ProductEditor({ product, onClose, onSaved }: Props) {
  const [opened] = useState(product);
  const [version, setVersion] = useState(product.version);
  const [isUploading, setUploading] = useState(false);
  const { revalidate } = useRevalidator();
  const fetcher = useFetcher<SaveProductResult>();
  const isBusy = fetcher.state !== "idle";
  const result = isBusy ? undefined : fetcher.data;
  const conflict = result?.conflict;
  const { errors, formProps } = useFieldErrors(checkProduct, fieldErrorsOf(result));
  useEffect(() => {
    if (result?.kind === "succeeded") onSaved(result.message);
  }, [result, onSaved]);

  /** An own change of the photos is none that the form conflicts with. */
  function followPhotos(before: number, after: number) {
    setVersion((current) => (current === before ? after : current));
  }

  function close() {
    if (version !== opened.version) void revalidate();
    onClose();
  }

  return (
    <Dialog title={`Edit ${product.name}`} isOpen onClose={close}>
      <PhotoManager product={opened} onChanged={followPhotos} onUploading={setUploading} />
      <fetcher.Form method="post" className="grid gap-4 sm:grid-cols-2" {...formProps}>
        <input type="hidden" name="intent" value="edit" />
        <input type="hidden" name="id" value={opened.id} />
        <input type="hidden" name="stock" value={opened.stock} />
        <MergeInputs opened={productValues(opened)} version={version} conflict={conflict} />
        <ProductFields errors={errors} product={opened} />
        <div className="space-y-4 sm:col-span-full">
          {result?.kind === "failed" && <SaveFailure {...{ result, isBusy }} onCancel={close} />}
          {conflict === undefined && (
            <div className="flex flex-wrap justify-end gap-3">
              <Button onClick={close}>Cancel</Button>
              <Button type="submit" variant="primary" disabled={isBusy || isUploading}>
                {saveLabel(isUploading, isBusy)}
              </Button>
            </div>
          )}
        </div>
      </fetcher.Form>
    </Dialog>
  );
}

interface SaveFailureProps {
  result: FailedSave;
  isBusy: boolean;
  onCancel: () => void;
}

function SaveFailure({ result: { message, conflict }, isBusy, onCancel }: SaveFailureProps) {
  if (conflict === undefined) return <Notice kind="error">{message}</Notice>;
  const { differences } = conflict;
  return <ConflictNotice {...{ message, differences, isBusy, onCancel }} subject="product" />;
}

function saveLabel(isUploading: boolean, isBusy: boolean): string {
  if (isUploading) return "Uploading Photos...";
  return isBusy ? "Saving..." : "Save Changes";
}
