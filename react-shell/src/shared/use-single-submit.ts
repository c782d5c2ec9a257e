import { useEffect, useRef, type FormEvent } from "react";

type Submit = (event: FormEvent<HTMLFormElement>) => void;

/**
 * Prevents double submission. The router renders the busy state with a delay, and a bouncing mouse button clicks twice
 * before that. `result` is the action's data, a new object after each submission.
 */
export function useSingleSubmit(submit: Submit, result: object | undefined): Submit {
  const isSent = useRef(false);
  const lastResult = useRef(result);
  useEffect(() => {
    if (lastResult.current !== result) isSent.current = false;
    lastResult.current = result;
  }, [result]);

  return (event) => {
    if (isSent.current) return event.preventDefault();
    submit(event);
    isSent.current = !event.defaultPrevented;
  };
}
