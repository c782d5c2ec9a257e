import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";

interface Common {
  label: ReactNode;
  /** Sentence shown under the field; undefined while the field is right. */
  error?: string | undefined;
  hint?: ReactNode;
  isOptional?: true;
}

interface Narrow {
  /** For two or three digits; the sentence under the field keeps the whole width. */
  isNarrow?: true;
}

const BOX =
  "block w-full min-h-11 rounded-field border bg-card px-3 py-2 text-ink placeholder:text-muted disabled:opacity-60";

function boxClass(error: string | undefined): string {
  return `${BOX} ${error === undefined ? "border-edge" : "border-bad"}`;
}

export function TextField({
  label,
  error,
  hint,
  isOptional,
  isNarrow,
  className = "",
  ...rest
}: Common & Narrow & InputHTMLAttributes<HTMLInputElement>) {
  const parts = useParts(error, hint, rest.id);
  return (
    <div className={className}>
      <Label id={parts.id} label={label} isOptional={isOptional} />
      <input
        className={`${boxClass(error)} ${isNarrow ? "max-w-20 min-w-20" : ""}`}
        required={!isOptional}
        {...rest}
        {...parts.described}
      />
      <Below parts={parts} error={error} hint={hint} />
    </div>
  );
}

export function TextArea({
  label,
  error,
  hint,
  isOptional,
  className = "",
  ...rest
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const parts = useParts(error, hint, rest.id);
  return (
    <div className={className}>
      <Label id={parts.id} label={label} isOptional={isOptional} />
      <textarea className={boxClass(error)} required={!isOptional} {...rest} {...parts.described} />
      <Below parts={parts} error={error} hint={hint} />
    </div>
  );
}

export function SelectField({
  label,
  error,
  hint,
  isOptional,
  className = "",
  ...rest
}: Common & SelectHTMLAttributes<HTMLSelectElement>) {
  const parts = useParts(error, hint, rest.id);
  return (
    <div className={className}>
      <Label id={parts.id} label={label} isOptional={isOptional} />
      <select className={boxClass(error)} required={!isOptional} {...rest} {...parts.described} />
      <Below parts={parts} error={error} hint={hint} />
    </div>
  );
}

export function CheckboxField({ label, ...rest }: { label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type="checkbox" className="size-5 shrink-0" {...rest} />
      <span>{label}</span>
    </label>
  );
}

interface Parts {
  id: string;
  errorId: string;
  hintId: string;
  described: { id: string; "aria-invalid"?: true; "aria-describedby"?: string };
}

function useParts(error: string | undefined, hint: ReactNode, given: string | undefined): Parts {
  const made = useId();
  const id = given ?? made;
  const errorId = `${id}-error`;
  const hintId = `${id}-hint`;
  const describedBy = [error === undefined ? [] : errorId, hint === undefined ? [] : hintId].flat().join(" ");
  return {
    id,
    errorId,
    hintId,
    described: {
      id,
      ...(error !== undefined && { "aria-invalid": true as const }),
      ...(describedBy !== "" && { "aria-describedby": describedBy }),
    },
  };
}

function Label({ id, label, isOptional }: { id: string; label: ReactNode; isOptional: true | undefined }) {
  return (
    <label htmlFor={id} className="mb-1 block font-medium">
      {label}
      {isOptional && <span className="font-normal text-muted"> (optional)</span>}
    </label>
  );
}

function Below({ parts, error, hint }: { parts: Parts; error: string | undefined; hint: ReactNode }) {
  return (
    <>
      {error !== undefined && (
        <p id={parts.errorId} className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={parts.hintId} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </>
  );
}
