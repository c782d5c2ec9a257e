import { Form, useNavigation } from "react-router";
import { checkCode } from "../../shared/confirmation-code";
import { fieldErrorsOf, fieldValue } from "../../shared/form-result";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { omitUndefined, useFieldErrors } from "../../shared/use-field-errors";
import { useSingleSubmit } from "../../shared/use-single-submit";
import type { SettingsResult } from "./settings-result";

interface Props {
  email: string;
  shopName: string;
  result: SettingsResult | undefined;
}

/** For an account that logs in with emailed codes: an emailed code also sets its first password. */
export function SetPassword({ email, shopName, result }: Props) {
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors((form) => validate(form, email, shopName), fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  const isSent = result?.isCodeSent === true;
  return (
    <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
      <p>You log in with emailed codes. With a password, you can log in without waiting for an email.</p>
      {isSent && (
        <>
          <input type="email" autoComplete="username" value={email} readOnly hidden />
          <TextField
            label="Code"
            name="confirmationCode"
            inputMode="numeric"
            autoComplete="one-time-code"
            enterKeyHint="next"
            maxLength={12}
            error={errors["confirmationCode"]}
          />
          <NewPasswordFields
            name="password"
            label="New Password"
            confirmLabel="Confirm New Password"
            hint="At least 10 characters."
            errors={errors}
          />
          <Button type="submit" name="intent" value="set-password" variant="primary" disabled={isBusy}>
            {isBusy ? "Saving..." : "Set a Password"}
          </Button>{" "}
        </>
      )}
      <Button
        type="submit"
        name="intent"
        value="send-code"
        variant={isSent ? "secondary" : "primary"}
        disabled={isBusy}
      >
        {isSent ? "Resend Code" : "Email Me a Code"}
      </Button>
      <FormResultNotice result={result} />
    </Form>
  );
}

function validate(form: FormData, email: string, shopName: string) {
  if (fieldValue(form, "intent") === "send-code") return {};
  return omitUndefined({
    confirmationCode: checkCode(fieldValue(form, "confirmationCode")),
    ...checkNewPassword(form, "password", "new_password", { email, shopName }),
  });
}
