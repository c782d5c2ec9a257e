import { ImagePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Product } from "../../../../shared/rules";
import { Button } from "../../../../shared/ui/button";
import { Notice } from "../../../../shared/ui/notice";
import { DropZone } from "../../shared/drop-zone";
import type { Photo } from "./api";
import { FileInput } from "./file-input";
import { PhotoRow } from "./photo-row";
import { UploadRow } from "./upload-row";
import { usePhotos, type OnChanged } from "./use-photos";
import { useUploads } from "./use-uploads";

interface Props {
  product: Product;
  onChanged: OnChanged;
  onUploading: (isUploading: boolean) => void;
}

/** The photos of a product: upload, order, alternative texts, replacement and removal. Every change is saved at once. */
export function PhotoManager({ product, onChanged, onUploading }: Props) {
  const { photos, isSaving, error, save, reload } = usePhotos(product, onChanged);
  const { uploads, isUploading, add, retry, dismiss } = useUploads(product.id, reload);
  const [status, setStatus] = useState("");
  const addButton = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    onUploading(isUploading);
  }, [isUploading, onUploading]);

  async function change(changed: Photo[], done: string) {
    if (await save(changed)) setStatus(done);
  }

  function remove(photo: Photo) {
    addButton.current?.focus({ preventScroll: true });
    void change(
      photos.filter((other) => other !== photo),
      "Photo removed.",
    );
  }

  return (
    <section aria-label="Photos" className="mb-6 space-y-3 border-b border-line pb-6">
      <h3 className="text-lg">Photos</h3>
      <p className="text-sm text-muted">
        The first photo is the product’s image. Alternative texts describe photos to people who can’t see them. Changes
        are saved right away.
      </p>
      {photos.length > 0 && (
        <ol aria-label="Photos in order" className="divide-y divide-line">
          {photos.map((photo, index) => (
            <PhotoRow
              key={photo.id}
              photo={photo}
              number={index + 1}
              count={photos.length}
              isBusy={isSaving || isUploading}
              onDescribe={(alt) =>
                void change(
                  photos.map((other) => (other === photo ? { ...photo, alt } : other)),
                  "Alternative text saved.",
                )
              }
              onMove={(to) => void change(moved(photos, photo, to - 1), `Photo ${index + 1} is now photo ${to}.`)}
              onReplace={(files) => add(files, photo.id)}
              onRemove={() => remove(photo)}
            />
          ))}
        </ol>
      )}
      {uploads.length > 0 && (
        <ul aria-label="Uploads" className="divide-y divide-line">
          {uploads.map((upload) => (
            <UploadRow
              key={upload.key}
              upload={upload}
              onRetry={() => retry(upload)}
              onDismiss={() => dismiss(upload.key)}
            />
          ))}
        </ul>
      )}
      {error !== undefined && <Notice kind="error">{error}</Notice>}
      <DropZone hint="or drop them here. JPEG, PNG or WebP, up to 15 MB each." onDropped={add}>
        <Button
          ref={addButton}
          onClick={() => {
            input.current?.click();
          }}
        >
          <ImagePlus aria-hidden className="size-4" />
          Add Photos
        </Button>
      </DropZone>
      <FileInput ref={input} isMultiple onChosen={add} />
      <p role="status" className="sr-only">
        {status}
      </p>
    </section>
  );
}

function moved(photos: Photo[], photo: Photo, to: number): Photo[] {
  return photos.filter((other) => other !== photo).toSpliced(to, 0, photo);
}
