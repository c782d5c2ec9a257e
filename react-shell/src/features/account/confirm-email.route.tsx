import { useState } from "react";
import { Form, useActionData, useNavigation, type ActionFunctionArgs } from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/timings";
import { succeeded, failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { checkEmail } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, omitUndefined, type FieldErrors } from "../../shared/use-field-errors";
import { useDelayedRedirect } from "../../shared/use-navigate-to";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { confirmEmail, resendCode } from "./api";
import { checkCode, codeFieldErrors } from "../../shared/confirmation-code";
import { withLoginToken } from "./login-token";
import { pendingEmail, savePendingEmail } from "./pending-email";
import { startSession } from "./start-session";
import { useResendDelay } from "./use-resend-delay";

type ConfirmResult = FormResult & { isConfirmed?: true };

export async function action({ request }: ActionFunctionArgs): Promise<ConfirmResult> {
  const form = await request.formData();
  const username = fieldValue(form, "username").trim();
  return fieldValue(form, "intent") === "resend"
    ? resend(username)
    : confirm(username, fieldValue(form, "code").trim());
}

async function confirm(username: string, code: string): Promise<ConfirmResult> {
  try {
    const { message, session } = await confirmEmail(withLoginToken({ username, code }));
    // The login page redirects a logged-in customer, and prefills the address otherwise.
    if (session) startSession(session);
    else savePendingEmail(username);
    return { ...succeeded(message), isConfirmed: true };
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."), {
      ...serverFieldErrors(error),
      ...codeFieldErrors(error, "code"),
    });
  }
}

async function resend(username: string): Promise<ConfirmResult> {
  try {
    await resendCode({ username });
    return succeeded("Confirmation code resent successfully.");
  } catch (error) {
    return failed("Failed to resend confirmation code.", serverFieldErrors(error));
  }
}

export function Component() {
  const result = useActionData<ConfirmResult>();
  const isBusy = useNavigation().state === "submitting";
  const [email] = useState(pendingEmail);
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  useDelayedRedirect(result?.isConfirmed && paths.login, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Confirm Your Email" width="form">
      <Card>
        <p className="mb-4">We emailed you a 6-digit code. It expires in 10 minutes.</p>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
          <TextField
            label="Email"
            name="username"
            type="email"
            autoComplete="email"
            defaultValue={email}
            error={errors["username"]}
          />
          <TextField
            label="Confirmation Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            error={errors["code"]}
          />
          <Button type="submit" variant="primary" className="w-full" disabled={isBusy || result?.isConfirmed}>
            {isBusy ? "Confirming..." : "Confirm Email"}
          </Button>
          <ResendButton isBusy={isBusy} />
          <FormResultNotice result={result} />
        </Form>
      </Card>
    </Page>
  );
}

function ResendButton({ isBusy }: { isBusy: boolean }) {
  const isEnabled = useResendDelay();
  return (
    <div>
      <Button type="submit" name="intent" value="resend" className="w-full" disabled={isBusy || !isEnabled}>
        Resend Code
      </Button>
      {!isEnabled && <p className="mt-1 text-sm text-muted">The email may take a few seconds to arrive.</p>}
    </div>
  );
}

/** Validates the form. Requesting a new code does not require the old one. */
function validate(form: FormData): FieldErrors {
  const needsCode = fieldValue(form, "intent") !== "resend";
  return omitUndefined({
    username: checkEmail(fieldValue(form, "username")),
    code: needsCode ? checkCode(fieldValue(form, "code")) : undefined,
  });
}
