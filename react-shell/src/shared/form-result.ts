import type { FieldErrors } from "./use-field-errors";

/** The result of a form's action: the message to show, and the errors of its fields. */
export type FormResult = { kind: "succeeded"; message: string } | FormFailure;

interface FormFailure {
  kind: "failed";
  message: string;
  fields: FieldErrors;
  /** A link to the page where the customer can fix it. */
  link?: { to: string; label: string };
}

export function succeeded(message: string): FormResult {
  return { kind: "succeeded", message };
}

export function failed(message: string, fields: FieldErrors = {}): FormFailure {
  return { kind: "failed", message, fields };
}

export function fieldErrorsOf(result: FormResult | undefined): FieldErrors | undefined {
  return result?.kind === "failed" ? result.fields : undefined;
}

/** A field's text, untrimmed. */
export function fieldValue(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
