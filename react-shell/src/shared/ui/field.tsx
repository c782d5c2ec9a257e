import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from "react";

export interface FieldTexts {
  label: ReactNode;
  /** Message below the field; undefined while the field is valid. */
  error?: string | undefined;
  hint?: ReactNode;
}

interface CommonProps extends FieldTexts {
  isOptional?: true | undefined;
}

interface NarrowProps {
  /** Narrows the input for two or three digits. The error message keeps the full width. */
  isNarrow?: true;
}

const CONTROL_CLASS =
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
}: CommonProps & NarrowProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field {...{ label, error, hint, isOptional, className, id }}>
      {({ className: controlClass, ...control }) => (
        <input
          className={isNarrow ? `${controlClass} max-w-20 min-w-20` : controlClass}
          required={!isOptional}
          {...rest}
          {...control}
        />
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
}: CommonProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
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
}: CommonProps & SelectHTMLAttributes<HTMLSelectElement>) {
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

/** Attributes that associate a control with its label, error and hint. */
interface Control {
  id: string;
  className: string;
  "aria-invalid"?: true;
  "aria-describedby"?: string;
}

interface FieldProps extends CommonProps {
  className: string | undefined;
  id: string | undefined;
  children: (control: Control) => ReactNode;
}

/** A form field: label, control, error, hint. */
export function Field({ label, error, hint, isOptional, className, id: givenId, children }: FieldProps) {
  const generatedId = useId();
  const id = givenId ?? generatedId;
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
        className: `${CONTROL_CLASS} ${error === undefined ? "border-edge" : "border-bad"}`,
        ...(error !== undefined && { "aria-invalid": true }),
        ...(describedBy !== "" && { "aria-describedby": describedBy }),
      })}
      <div aria-live="polite">
        {error !== undefined && (
          <p id={errorId} className="mt-1 text-sm text-bad">
            {error}
          </p>
        )}
      </div>
      {hint !== undefined && (
        <p id={hintId} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
