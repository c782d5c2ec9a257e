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
  isOptional?: true | undefined;
}

interface Narrow {
  /** For two or three digits; the sentence under the field keeps the whole width. */
  isNarrow?: true;
}

const BOX =
  "block w-full min-h-11 rounded-field border bg-card px-3 py-2 text-ink placeholder:text-muted disabled:opacity-60";

export function TextField({
  label,
  error,
  hint,
  isOptional,
  isNarrow,
  className,
  id,
  ...rest
}: Common & Narrow & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, error, hint, isOptional, className, id }}>
      {({ className: box, ...control }) => (
        <input className={isNarrow ? `${box} max-w-20 min-w-20` : box} required={!isOptional} {...rest} {...control} />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  error,
  hint,
  isOptional,
  className,
  id,
  ...rest
}: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field {...{ label, error, hint, isOptional, className, id }}>
      {(control) => <textarea required={!isOptional} {...rest} {...control} />}
    </Field>
  );
}

export function SelectField({
  label,
  error,
  hint,
  isOptional,
  className,
  id,
  ...rest
}: Common & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Field {...{ label, error, hint, isOptional, className, id }}>
      {(control) => <select required={!isOptional} {...rest} {...control} />}
    </Field>
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

/** What ties a control to its label and to the sentences under it. */
interface Control {
  id: string;
  className: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
}

interface FieldProps extends Common {
  className: string | undefined;
  id: string | undefined;
  children: (control: Control) => ReactNode;
}

/** Label above, the control, then what is wrong and what helps. */
function Field({ label, error, hint, isOptional, className, id: given, children }: FieldProps) {
  const made = useId();
  const id = given ?? made;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const describedBy = [errorId, hintId].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
        {isOptional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children({
        id,
        className: `${BOX} ${error === undefined ? "border-edge" : "border-bad"}`,
        ...(error !== undefined && { "aria-invalid": true }),
        ...(describedBy !== "" && { "aria-describedby": describedBy }),
      })}
      {error !== undefined && (
        <p id={errorId} className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
