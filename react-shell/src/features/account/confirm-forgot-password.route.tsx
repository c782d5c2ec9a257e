import { Form, useActionData, useNavigation, useSearchParams, type ActionFunctionArgs } from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/timings";
import { succeeded, failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { checkEmail } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { ShopLink } from "../../shared/ui/link";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, omitUndefined } from "../../shared/use-field-errors";
import { useDelayedRedirect } from "../../shared/use-navigate-to";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { confirmForgotPassword } from "./api";
import { checkCode, codeFieldErrors } from "../../shared/confirmation-code";
import { withDeviceToken } from "./device-token";

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  const form = await request.formData();
  try {
    const body = {
      username: fieldValue(form, "username").trim(),
      confirmationCode: fieldValue(form, "confirmationCode").trim(),
      password: fieldValue(form, "password"),
    };
    await confirmForgotPassword(withDeviceToken(body));
    return succeeded("Password reset successfully.");
  } catch (error) {
    return failed(serverMessage(error, "An error occurred during password reset."), {
      ...serverFieldErrors(error),
      ...codeFieldErrors(error, "confirmationCode"),
    });
  }
}

export function Component() {
  const result = useActionData<FormResult>();
  const isBusy = useNavigation().state === "submitting";
  const [params] = useSearchParams();
  const { shop_name: shopName } = useRootData().config;
  const { errors, formProps } = useFieldErrors((form) => validate(form, shopName), fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  const isDone = result?.kind === "succeeded";
  useDelayedRedirect(isDone ? paths.login : undefined, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Reset Password" width="form">
      <Card>
        <p className="mb-4">
          If you have an account, we emailed you a 6-digit code. It expires in 10 minutes.{" "}
          <ShopLink to={paths.forgotPassword} replace className="text-link">
            Send a new code
          </ShopLink>
        </p>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
          <TextField
            label="Email"
            name="username"
            type="email"
            autoComplete="username"
            defaultValue={params.get("email") ?? ""}
            error={errors["username"]}
          />
          <TextField
            label="Confirmation Code"
            name="confirmationCode"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            error={errors["confirmationCode"]}
          />
          <NewPasswordFields
            name="password"
            label="New Password"
            confirmLabel="Confirm Password"
            hint="At least 10 characters."
            errors={errors}
          />
          <Button type="submit" variant="primary" className="w-full" disabled={isBusy || isDone}>
            {isBusy ? "Resetting..." : "Reset Password"}
          </Button>
          <FormResultNotice result={result} />
        </Form>
      </Card>
    </Page>
  );
}

function validate(form: FormData, shopName: string) {
  const email = fieldValue(form, "username");
  return omitUndefined({
    username: checkEmail(email),
    confirmationCode: checkCode(fieldValue(form, "confirmationCode")),
    ...checkNewPassword(form, "password", "password", { email, shopName }),
  });
}
