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
  const waiting = useRef<HTMLFormElement>(undefined);
  const [isWaiting, setIsWaiting] = useState(false);

  const onToken = useCallback((next: string | undefined) => {
    token.current = next;
    const form = waiting.current;
    if (next === undefined || !form) return;
    waiting.current = undefined;
    setIsWaiting(false);
    form.requestSubmit();
  }, []);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    if (token.current !== undefined) return submit(event);
    validate(event);
    if (!event.defaultPrevented) {
      waiting.current = event.currentTarget;
      setIsWaiting(true);
    }
    event.preventDefault();
  }

  return { onSubmit, onToken, isWaiting };
}
