import { useEffect, useRef, useState, type FocusEvent, type FormEvent, type RefObject } from "react";

/** Field name → the sentence that says which rule failed. */
export type FieldErrors = Record<string, string>;
export type Check = (values: FormData) => FieldErrors;

interface CheckedForm {
  errors: FieldErrors;
  formProps: {
    ref: RefObject<HTMLFormElement | null>;
    noValidate: true;
    onBlur: (event: FocusEvent<HTMLFormElement>) => void;
    onInput: (event: FormEvent<HTMLFormElement>) => void;
    onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  };
}

/**
 * The errors of a form's fields. One appears when its field is left, goes as soon as the field is right, and all of
 * them appear on sending, which then does not happen: the first wrong field has the focus instead.
 */
export function useFieldErrors(check: Check, fromServer: FieldErrors | undefined): CheckedForm {
  const ref = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [taken, setTaken] = useState<FieldErrors>();
  if (fromServer !== taken) {
    setTaken(fromServer);
    if (fromServer !== undefined) setErrors(fromServer);
  }

  useEffect(() => {
    if (fromServer !== undefined) focusFirst(ref.current, fromServer);
  }, [fromServer]);

  function onBlur(event: FocusEvent<HTMLFormElement>) {
    const name = fieldName(event.target);
    if (name === undefined || !ref.current || !hasText(event.target)) return;
    const found = check(new FormData(ref.current))[name];
    setErrors((shown) => (found === undefined ? shown : { ...shown, [name]: found }));
  }

  function onInput() {
    if (!ref.current || Object.keys(errors).length === 0) return;
    const found = check(new FormData(ref.current));
    setErrors((shown) => Object.fromEntries(Object.entries(shown).filter(([name, text]) => found[name] === text)));
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    const found = check(new FormData(event.currentTarget, submitterOf(event)));
    setErrors(found);
    if (Object.keys(found).length === 0) return;
    event.preventDefault();
    focusFirst(event.currentTarget, found);
  }

  return { errors, formProps: { ref, noValidate: true, onBlur, onInput, onSubmit } };
}

/** The pressed button is part of what is sent: which one it was may change what has to be filled in. */
function submitterOf(event: FormEvent): HTMLElement | null {
  return event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
}

/** An empty field that is only passed through is not wrong yet. */
function hasText(target: EventTarget): boolean {
  return "value" in target && typeof target.value === "string" && target.value !== "";
}

function fieldName(target: EventTarget): string | undefined {
  return "name" in target && typeof target.name === "string" && target.name !== "" ? target.name : undefined;
}

function focusFirst(form: HTMLFormElement | null, errors: FieldErrors): void {
  for (const element of form?.elements ?? []) {
    const name = fieldName(element);
    if (name !== undefined && name in errors && element instanceof HTMLElement) return element.focus();
  }
}

/** The fields of a check that have something to say. */
export function withoutNothing(found: Record<string, string | undefined>): FieldErrors {
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
