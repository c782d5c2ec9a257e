import { useEffect } from "react";
import { loadCommonPasswords } from "../common-passwords";
import { text } from "../outcome";
import { checkConfirmation, checkPassword } from "../rules";
import type { FieldErrors } from "../use-field-errors";
import { TextField } from "./field";

interface Props {
  /** What the first field is called in the request. */
  name: string;
  label: string;
  confirmLabel: string;
  hint?: string;
  errors: FieldErrors;
}

/** A password that is chosen, typed twice. */
export function NewPasswordFields({ name, label, confirmLabel, hint, errors }: Props) {
  useEffect(loadCommonPasswords, []);
  const both = { type: "password", autoComplete: "new-password" };
  return (
    <>
      <TextField {...both} label={label} name={name} hint={hint} error={errors[name]} />
      <TextField {...both} label={confirmLabel} name={CONFIRM} error={errors[CONFIRM]} />
    </>
  );
}

const CONFIRM = "confirmPassword";

interface Owner {
  email: string;
  shopName: string;
}

/** What is wrong with the two fields; `kind` chooses the sentence for two that differ. */
export function checkNewPassword(form: FormData, name: string, kind: "password" | "newPassword", owner: Owner) {
  const password = text(form, name);
  return {
    [name]: checkPassword(password, owner.email, owner.shopName),
    [CONFIRM]: checkConfirmation(kind, password, text(form, CONFIRM)),
  };
}
