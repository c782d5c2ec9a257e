import { useEffect } from "react";
import { loadCommonPasswords } from "../common-passwords";
import { fieldValue } from "../form-result";
import { checkConfirmation, checkPassword } from "../rules";
import type { FieldErrors } from "../use-field-errors";
import { PasswordField } from "./password-field";

interface Props {
  /** Name of the password field. */
  name: string;
  label: string;
  confirmLabel: string;
  hint?: string;
  errors: FieldErrors;
}

/** Fields for a new password and its confirmation. */
export function NewPasswordFields({ name, label, confirmLabel, hint, errors }: Props) {
  useEffect(loadCommonPasswords, []);
  const both = { autoComplete: "new-password" };
  return (
    <>
      <PasswordField {...both} label={label} name={name} enterKeyHint="next" hint={hint} error={errors[name]} />
      <PasswordField {...both} label={confirmLabel} name={CONFIRM} enterKeyHint="go" error={errors[CONFIRM]} />
    </>
  );
}

const CONFIRM = "confirmPassword";

interface Owner {
  email: string;
  shopName: string;
}

/** Validates both fields; `kind` selects the message for a mismatch. */
export function checkNewPassword(form: FormData, name: string, kind: "password" | "new_password", owner: Owner) {
  const password = fieldValue(form, name);
  return {
    [name]: checkPassword(password, owner.email, owner.shopName),
    [CONFIRM]: checkConfirmation(kind, password, fieldValue(form, CONFIRM)),
  };
}
