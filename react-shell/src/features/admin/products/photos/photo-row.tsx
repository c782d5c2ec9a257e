import { ArrowDown, ArrowUp, ImageUp, Trash2 } from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { Button } from "../../../../shared/ui/button";
import { TextField } from "../../../../shared/ui/field";
import type { Photo } from "./api";
import { FileInput } from "./file-input";
import { thumbnailUrl } from "./photo-url";

interface Props {
  photo: Photo;
  /** From 1. */
  number: number;
  count: number;
  isBusy: boolean;
  onDescribe: (alt: string) => void;
  onMove: (to: number) => void;
  onReplace: (files: File[]) => void;
  onRemove: () => void;
}

/** Longer side, in pixels, from which a photo is sharp on the product page of a large screen. */
const SHARP = 1200;

/** A photo in the list: thumbnail, alternative text and actions. */
export function PhotoRow({ photo, number, count, isBusy, onDescribe, onMove, onReplace, onRemove }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isRemoving, setRemoving] = useState(false);
  return (
    <li className="flex gap-4 py-4">
      <img
        src={thumbnailUrl(photo)}
        alt=""
        width={96}
        height={96}
        className="size-20 shrink-0 rounded-field border border-line object-cover sm:size-24"
        style={{ backgroundColor: photo.color }}
      />
      <div className="min-w-0 grow space-y-1">
        <AltField {...{ photo, number, isBusy, onDescribe }} />
        {Math.max(photo.width, photo.height) < SHARP && (
          <p className="text-sm text-warn">
            {photo.width} × {photo.height} pixels: looks blurry on the product page. Use a photo of at least {SHARP}{" "}
            pixels.
          </p>
        )}
        <div className="-ml-3 flex flex-wrap">
          <Action label={`Move Up photo ${number}`} isOff={isBusy || number === 1} onAct={() => onMove(number - 1)}>
            <ArrowUp aria-hidden className="size-4" />
          </Action>
          <Action
            label={`Move Down photo ${number}`}
            isOff={isBusy || number === count}
            onAct={() => onMove(number + 1)}
          >
            <ArrowDown aria-hidden className="size-4" />
          </Action>
          <Action
            label={`Replace photo ${number}`}
            isOff={isBusy}
            onAct={() => {
              input.current?.click();
            }}
          >
            <ImageUp aria-hidden className="size-4" />
            <span className="max-sm:hidden">Replace</span>
          </Action>
          <Action label={`Remove photo ${number}`} isOff={isBusy} onAct={() => setRemoving(!isRemoving)}>
            <Trash2 aria-hidden className="size-4" />
            <span className="max-sm:hidden">Remove</span>
          </Action>
        </div>
        {isRemoving && (
          <div className="flex flex-wrap items-center gap-3">
            <p role="status" className="text-sm">
              Remove this photo from the shop? This can’t be undone.
            </p>
            <Button variant="danger" disabled={isBusy} onClick={onRemove}>
              Remove Photo
            </Button>
          </div>
        )}
        <FileInput ref={input} onChosen={onReplace} />
      </div>
    </li>
  );
}

interface ActionProps {
  label: string;
  isOff: boolean;
  onAct: () => void;
  children: ReactNode;
}

/** Stays focusable while it is off: a photo that has reached the end of the list keeps the focus. */
function Action({ label, isOff, onAct, children }: ActionProps) {
  return (
    <Button
      variant="ghost"
      aria-label={label}
      title={label}
      aria-disabled={isOff}
      className="px-3 aria-disabled:opacity-40"
      onClick={() => !isOff && onAct()}
    >
      {children}
    </Button>
  );
}

/** Saves when it is left, or with Enter. */
function AltField({ photo, number, isBusy, onDescribe }: Pick<Props, "photo" | "number" | "isBusy" | "onDescribe">) {
  const [saved, setSaved] = useState(photo.alt);
  const [alt, setAlt] = useState(photo.alt);
  if (saved !== photo.alt) {
    setSaved(photo.alt);
    setAlt(photo.alt);
  }

  function save() {
    // While it is being saved, leaving the field saves nothing else.
    if (!isBusy && alt.trim() !== saved) onDescribe(alt);
  }

  return (
    <TextField
      label={
        <>
          Alternative text<span className="sr-only"> of photo {number}</span>
        </>
      }
      isOptional
      maxLength={200}
      autoComplete="off"
      readOnly={isBusy}
      value={alt}
      onChange={(event) => setAlt(event.target.value)}
      onKeyDown={({ key }) => key === "Enter" && save()}
      onBlur={save}
    />
  );
}
