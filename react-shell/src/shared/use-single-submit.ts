import { useEffect, useRef, type FormEvent } from "react";

type Submit = (event: FormEvent<HTMLFormElement>) => void;

/**
 * Ignores a second submission while the first is under way. The router draws a page that is busy a moment later, and a
 * bouncing mouse presses twice before that. `result` is the action's data, which is new after each submission.
 */
export function useSingleSubmit(submit: Submit, result: object | undefined): Submit {
  const isSent = useRef(false);
  const shown = useRef(result);
  useEffect(() => {
    if (shown.current !== result) isSent.current = false;
    shown.current = result;
  }, [result]);

  return (event) => {
    if (isSent.current) return event.preventDefault();
    submit(event);
    isSent.current = !event.defaultPrevented;
  };
}
