import { Form, useActionData, useNavigation, useSearchParams, type ActionFunctionArgs } from "react-router";
import { serverFields, serverSentence } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/delays";
import { done, failed, fieldsOf, text, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { checkEmail } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, withoutNothing } from "../../shared/use-field-errors";
import { useGoLater } from "../../shared/use-go";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { confirmForgotPassword } from "./api";
import { checkCode, codeFields } from "./code";
import { withDevice } from "./device-token";

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  const form = await request.formData();
  try {
    const body = {
      username: text(form, "username").trim(),
      confirmationCode: text(form, "confirmationCode").trim(),
      password: text(form, "password"),
    };
    await confirmForgotPassword(withDevice(body));
    return done("Password reset successfully.");
  } catch (error) {
    return failed(serverSentence(error, "An error occurred during password reset."), {
      ...serverFields(error),
      ...codeFields(error, "confirmationCode"),
    });
  }
}

export function Component() {
  const outcome = useActionData<Outcome>();
  const isBusy = useNavigation().state === "submitting";
  const [params] = useSearchParams();
  const { shopName } = useRootData().config;
  const { errors, formProps } = useFieldErrors((form) => check(form, shopName), fieldsOf(outcome));
  const submit = useSingleSubmit(formProps.onSubmit, outcome);
  const isDone = outcome?.kind === "done";
  useGoLater(isDone ? paths.login : undefined, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Reset Password" width="form">
      <Card>
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
            label="Code"
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
          <Button type="submit" look="primary" className="w-full" disabled={isBusy || isDone}>
            {isBusy ? "Resetting..." : "Reset Password"}
          </Button>
          <OutcomeNotice outcome={outcome} />
        </Form>
      </Card>
    </Page>
  );
}

function check(form: FormData, shopName: string) {
  const email = text(form, "username");
  return withoutNothing({
    username: checkEmail(email),
    confirmationCode: checkCode(text(form, "confirmationCode")),
    ...checkNewPassword(form, "password", "password", { email, shopName }),
  });
}
