import { useEffect, useRef, useState, type FocusEvent, type FormEvent, type RefObject } from "react";

/** Validation errors: field name → message. */
export type FieldErrors = Record<string, string>;
export type Validate = (values: FormData) => FieldErrors;

interface ValidatedForm {
  errors: FieldErrors;
  formProps: {
    ref: RefObject<HTMLFormElement | null>;
    noValidate: true;
    onBlur: (event: FocusEvent<HTMLFormElement>) => void;
    onChange: (event: FormEvent<HTMLFormElement>) => void;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  };
}

/**
 * Inline form validation. An error appears on blur and disappears once the field is valid. Submitting an invalid form
 * shows all errors and focuses the first invalid field instead. New `serverErrors` are shown, too.
 */
export function useFieldErrors(validate: Validate, serverErrors: FieldErrors | undefined): ValidatedForm {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [lastServerErrors, setLastServerErrors] = useState<FieldErrors>();
  if (serverErrors !== lastServerErrors) {
    setLastServerErrors(serverErrors);
    if (serverErrors !== undefined) setErrors(serverErrors);
  }

  useEffect(() => {
    if (serverErrors !== undefined) focusFirstInvalid(ref.current, serverErrors);
  }, [serverErrors]);

  function onBlur(event: FocusEvent<HTMLFormElement>) {
    const name = fieldName(event.target);
    if (name === undefined || !ref.current || !hasText(event.target)) return;
    const found = validate(new FormData(ref.current))[name];
    setErrors((shown) => (found === undefined ? shown : { ...shown, [name]: found }));
  }

  // Not on `input`: a select fires it before `change`, and rendering in between would restore its previous value.
  function onChange() {
    if (!ref.current || Object.keys(errors).length === 0) return;
    const found = validate(new FormData(ref.current));
    setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([name, text]) => found[name] === text)));
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const found = validate(new FormData(event.currentTarget, submitterOf(event)));
    setErrors(found);
    if (Object.keys(found).length === 0) return;
    event.preventDefault();
    focusFirstInvalid(event.currentTarget, found);
  }

  return { errors, formProps: { ref, noValidate: true, onBlur, onChange, onSubmit } };
}

/** The submit button. Its value is part of the form and may decide which fields are required. */
function submitterOf(event: FormEvent): HTMLElement | null {
  return event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
}

/** Whether the field has text. Leaving an empty field is not an error before the form is submitted. */
function hasText(target: EventTarget): boolean {
  return "value" in target && typeof target.value === "string" && target.value !== "";
}

function fieldName(target: EventTarget): string | undefined {
  return "name" in target && typeof target.name === "string" && target.name !== "" ? target.name : undefined;
}

function focusFirstInvalid(form: HTMLFormElement | null, errors: FieldErrors): void {
  for (const element of form?.elements ?? []) {
    const name = fieldName(element);
    if (name !== undefined && name in errors && element instanceof HTMLElement) {
      element.focus();
      return;
    }
  }
}

/** Drops the fields without an error. */
export function omitUndefined(errors: Record<string, string | undefined>): FieldErrors {
  return Object.fromEntries(
    Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
