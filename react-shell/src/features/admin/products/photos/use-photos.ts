import { useRef, useState } from "react";
import { ApiError, serverFieldErrors, serverMessage } from "../../../../shared/api-client";
import type { Product } from "../../../../shared/rules";
import { findProduct, updatePhotos, type Photo } from "./api";

const SAVE_FAILED = "The photos couldn’t be saved. Check your connection and try again.";

/** Called after each change with the product's version before and after it. */
export type OnChanged = (before: number, after: number) => void;

/** The photos of a product as saved, and their changes, which are saved at once. */
export function usePhotos(product: Product, onChanged: OnChanged) {
  const [photos, setPhotos] = useState(product.photos ?? []);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<string>();
  const version = useRef(product.version);

  function show(saved: { photos?: Photo[]; version: number }) {
    version.current = saved.version;
    setPhotos(saved.photos ?? []);
  }

  /** Saves a list, and tells whether that succeeded. */
  async function save(changed: Photo[]): Promise<boolean> {
    const before = version.current;
    const list = changed.map(({ id, alt }) => ({ id, alt }));
    setSaving(true);
    setError(undefined);
    try {
      const after = await updatePhotos(product.id, { photos: list, version: before });
      show(after);
      onChanged(before, after.version);
      return true;
    } catch (failure) {
      const current = conflictingProduct(failure);
      if (current) show(current);
      const [message] = Object.values(serverFieldErrors(failure));
      setError(message ?? serverMessage(failure, SAVE_FAILED));
      return false;
    } finally {
      setSaving(false);
    }
  }

  /** Loads the list after an upload. */
  async function reload(): Promise<void> {
    const before = version.current;
    const after = await findProduct(product.id);
    show(after);
    // A larger step includes a change by someone else, with which the editor's form is in conflict.
    if (after.version === before + 1) onChanged(before, after.version);
  }

  return { photos, isSaving, error, save, reload };
}

function conflictingProduct(error: unknown) {
  if (!(error instanceof ApiError) || error.body.code !== "EditConflict") return undefined;
  const current = error.body.details?.current;
  return current && "slug" in current ? current : undefined;
}
