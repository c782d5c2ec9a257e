import { useState, type InputHTMLAttributes } from "react";
import { Field, type FieldTexts } from "./field";

type Props = FieldTexts & Omit<InputHTMLAttributes<HTMLInputElement>, "type">;

/** Password field with a button that shows and hides its characters. */
export function PasswordField({ label, error, hint, className, id, ...rest }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <Field {...{ label, error, hint, className, id }}>
      {({ className: controlClass, ...control }) => (
        <div className="relative">
          <input
            type={isShown ? "text" : "password"}
            className={`${controlClass} pr-20`}
            required
            autoCapitalize="none"
            spellCheck={false}
            {...rest}
            {...control}
          />
          <button
            type="button"
            aria-controls={control.id}
            className="text-link absolute inset-y-0 right-0 min-w-16 rounded px-3 text-sm"
            onClick={() => setShown(!isShown)}
          >
            {isShown ? "Hide" : "Show"}
          </button>
        </div>
      )}
    </Field>
  );
}
