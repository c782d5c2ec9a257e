import { useEffect } from "react";
import { useFetcher } from "react-router";
import { fieldErrorsOf, type FormResult } from "../../../shared/form-result";
import { useFieldErrors, type Validate } from "../../../shared/use-field-errors";
import { useSingleSubmit } from "../../../shared/use-single-submit";

/** A form beside others on a page: validated, sent once at a time, and reset when it was saved. */
export function useActionForm(validate: Validate) {
  const fetcher = useFetcher<FormResult>();
  const isBusy = fetcher.state !== "idle";
  const result = isBusy ? undefined : fetcher.data;
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  const onSubmit = useSingleSubmit(formProps.onSubmit, fetcher.data);
  const form = formProps.ref;
  useEffect(() => {
    if (result?.kind === "succeeded") form.current?.reset();
  }, [result, form]);
  return { Form: fetcher.Form, formProps: { ...formProps, onSubmit }, errors, isBusy, result };
}
