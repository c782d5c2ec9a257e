import { Form, useActionData, useNavigation, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/timings";
import { redirectFrom } from "../../shared/document-navigation";
import { succeeded, failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { checkConfirmation, checkEmail } from "../../shared/rules";
import { session } from "../../shared/session";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { ShopLink } from "../../shared/ui/link";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, omitUndefined } from "../../shared/use-field-errors";
import { useDelayedRedirect } from "../../shared/use-navigate-to";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { signUp } from "./api";
import { BotCheck } from "./bot-check";
import { saveLoginToken, withLoginToken } from "./login-token";
import { savePendingEmail } from "./pending-email";
import { useBotCheck } from "./use-bot-check";

export function loader({ request }: LoaderFunctionArgs) {
  if (session.state().kind === "signed-in") throw redirectFrom(request, paths.profile);
  return null;
}

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  const form = await request.formData();
  const email = fieldValue(form, "email").trim();
  try {
    const body = {
      email,
      password: fieldValue(form, "password"),
      recaptchaToken: fieldValue(form, "recaptchaToken"),
    };
    const { message, login_token: token } = await signUp(withLoginToken(body));
    saveLoginToken(token);
    savePendingEmail(email);
    return succeeded(message);
  } catch (error) {
    const message = serverMessage(error, "");
    return failed(message === "" ? "An error occurred." : `Error: ${message}`, serverFieldErrors(error));
  }
}

export function Component() {
  const result = useActionData<FormResult>();
  const isBusy = useNavigation().state === "submitting";
  const { shop_name: shopName } = useRootData().config;
  const { errors, formProps } = useFieldErrors((form) => validate(form, shopName), fieldErrorsOf(result));
  const check = useBotCheck(formProps.onSubmit, useSingleSubmit(formProps.onSubmit, result));
  const isDone = result?.kind === "succeeded";
  useDelayedRedirect(isDone ? paths.confirmEmail : undefined, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Register" width="form">
      <Card>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={check.onSubmit}>
          <TextField
            label="Email"
            name="email"
            type="email"
            autoComplete="email"
            enterKeyHint="next"
            error={errors["email"]}
          />
          <TextField
            label="Confirm Email"
            name="confirmEmail"
            type="email"
            autoComplete="email"
            enterKeyHint="next"
            error={errors["confirmEmail"]}
          />
          <NewPasswordFields
            name="password"
            label="Password"
            confirmLabel="Confirm Password"
            hint="At least 10 characters. A few memorable words work well."
            errors={errors}
          />
          <BotCheck action="signup" onToken={check.onToken} resetKey={result?.kind === "failed" ? result : undefined} />
          <Button type="submit" variant="primary" className="w-full" disabled={isBusy || isDone || check.isWaiting}>
            {check.isWaiting ? "Checking…" : isBusy ? "Registering..." : "Register"}
          </Button>
          <FormResultNotice result={result} />
        </Form>
      </Card>
      <p className="mt-6 text-center">
        Already have an account?{" "}
        <ShopLink to={paths.login} replace className="text-link">
          Log in
        </ShopLink>
        <br />
        Don’t want a password?{" "}
        <ShopLink to={paths.loginCode} replace className="text-link">
          Use an emailed code
        </ShopLink>
      </p>
    </Page>
  );
}

function validate(form: FormData, shopName: string) {
  const email = fieldValue(form, "email");
  return omitUndefined({
    email: checkEmail(email),
    confirmEmail: checkConfirmation("email", email, fieldValue(form, "confirmEmail")),
    ...checkNewPassword(form, "password", "password", { email, shopName }),
  });
}
