import type { FieldErrors } from "./use-field-errors";

/** What became of a form that was sent: the sentence to show, and what is wrong in which field. */
export type Outcome = { kind: "done"; message: string } | Failed;

interface Failed {
  kind: "failed";
  message: string;
  fields: FieldErrors;
  /** A link to where it can be mended. */
  wayOn?: { to: string; label: string };
}

export function done(message: string): Outcome {
  return { kind: "done", message };
}

export function failed(message: string, fields: FieldErrors = {}): Failed {
  return { kind: "failed", message, fields };
}

export function fieldsOf(outcome: Outcome | undefined): FieldErrors | undefined {
  return outcome?.kind === "failed" ? outcome.fields : undefined;
}

/** A field's text as it was typed. */
export function text(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
