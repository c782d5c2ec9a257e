import { useEffect } from "react";
import { Form, useNavigation } from "react-router";
import { fieldErrorsOf, fieldValue } from "../../shared/form-result";
import { Button } from "../../shared/ui/button";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { PasswordField } from "../../shared/ui/password-field";
import { omitUndefined, useFieldErrors } from "../../shared/use-field-errors";
import { useSingleSubmit } from "../../shared/use-single-submit";
import type { SettingsResult } from "./settings-result";

interface Props {
  email: string;
  shopName: string;
  result: SettingsResult | undefined;
}

export function ChangePassword({ email, shopName, result }: Props) {
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors((form) => validate(form, email, shopName), fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  const form = formProps.ref;
  useEffect(() => {
    if (result?.kind === "succeeded") form.current?.reset();
  }, [result, form]);

  return (
    <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
      {/* The username, for password managers. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current Password"
        name="previousPassword"
        autoComplete="current-password"
        enterKeyHint="next"
        error={errors["previousPassword"]}
      />
      <NewPasswordFields
        name="proposedPassword"
        label="New Password"
        confirmLabel="Confirm New Password"
        hint="At least 10 characters."
        errors={errors}
      />
      <Button type="submit" variant="primary" disabled={isBusy}>
        {isBusy ? "Changing..." : "Change Password"}
      </Button>
      <FormResultNotice result={result} />
    </Form>
  );
}

function validate(form: FormData, email: string, shopName: string) {
  return omitUndefined({
    previousPassword: fieldValue(form, "previousPassword") === "" ? "Enter your current password." : undefined,
    ...checkNewPassword(form, "proposedPassword", "new_password", { email, shopName }),
  });
}
