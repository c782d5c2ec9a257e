import { useCallback, useRef, useState, type FormEvent } from "react";

type Submit = (event: FormEvent<HTMLFormElement>) => void;

interface CheckedForm {
  onSubmit: Submit;
  /** Takes the token of the bot check; undefined while there is none. */
  onToken: (token: string | undefined) => void;
  /** The form was submitted before the check has passed. It is sent as soon as there is a token. */
  isWaiting: boolean;
}

/** Submits a form with the token of its bot check. `validate` prevents the submission of an invalid form. */
export function useBotCheck(validate: Submit, submit: Submit): CheckedForm {
  const token = useRef<string>(undefined);
  const waiting = useRef<{ form: HTMLFormElement; submitter: HTMLElement | null }>(undefined);
  const [isWaiting, setIsWaiting] = useState(false);

  const onToken = useCallback((next: string | undefined) => {
    token.current = next;
    if (next === undefined || !waiting.current) return;
    const { form, submitter } = waiting.current;
    waiting.current = undefined;
    // The token may arrive while the submit event that waits for it is still being dispatched. Meanwhile, browsers
    // ignore another submission of the form.
    setTimeout(() => {
      setIsWaiting(false);
      form.requestSubmit(submitter);
    });
  }, []);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (token.current !== undefined) return submit(event);
    validate(event);
    if (!event.defaultPrevented) {
      const { submitter } = event.nativeEvent as SubmitEvent;
      waiting.current = { form: event.currentTarget, submitter };
      setIsWaiting(true);
    }
    event.preventDefault();
  }

  return { onSubmit, onToken, isWaiting };
}
