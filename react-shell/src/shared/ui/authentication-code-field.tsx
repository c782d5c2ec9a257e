import { useEffect, useRef } from "react";
import { TextField } from "./field";

interface Props {
  error: string | undefined;
  /** Whether the field appears after a press, and takes the focus. */
  focuses?: boolean;
}

/** The second factor of an administrator: a code of the app, or a recovery code. */
export function AuthenticationCodeField({ error, focuses = true }: Props) {
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focuses) field.current?.querySelector("input")?.focus();
  }, [focuses]);
  return (
    <div ref={field}>
      <TextField
        label="Authentication Code"
        name="totp"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        enterKeyHint="go"
        maxLength={30}
        hint="Enter the code from your app or a recovery code."
        error={error}
      />
    </div>
  );
}
