import { Form, useActionData, useNavigation, useSearchParams, type ActionFunctionArgs } from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { succeeded, failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { checkEmail } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { TextField } from "../../shared/ui/field";
import { ShopLink } from "../../shared/ui/link";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card, Page } from "../../shared/ui/page";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { useFieldErrors, omitUndefined } from "../../shared/use-field-errors";
import { forgotPassword } from "./api";
import { withDeviceToken } from "./device-token";

type ForgotPasswordResult = FormResult & { email?: string };

export async function action({ request }: ActionFunctionArgs): Promise<ForgotPasswordResult> {
  const username = fieldValue(await request.formData(), "username").trim();
  try {
    const { message } = await forgotPassword(withDeviceToken({ username }));
    return { ...succeeded(message), email: username };
  } catch (error) {
    const message = serverMessage(error, "");
    return failed(message === "" ? "An error occurred." : `Error: ${message}`, serverFieldErrors(error));
  }
}

export function Component() {
  const result = useActionData<ForgotPasswordResult>();
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  const [params] = useSearchParams();

  return (
    <Page title="Forgot Password" width="form">
      <Card>
        <p className="mb-4">Enter your email and we’ll send you a code to reset your password.</p>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
          <TextField
            label="Email"
            name="username"
            type="email"
            autoComplete="username"
            defaultValue={params.get("email") ?? ""}
            error={errors["username"]}
          />
          <Button type="submit" variant="primary" className="w-full" disabled={isBusy}>
            {isBusy ? "Sending..." : "Send Code"}
          </Button>
          <FormResultNotice result={result} />
          {result?.email !== undefined && (
            <ShopLink
              to={paths.confirmForgotPassword(result.email)}
              replace
              className={`${buttonClass("secondary")} w-full`}
            >
              Enter Code
            </ShopLink>
          )}
        </Form>
      </Card>
    </Page>
  );
}

function validate(form: FormData) {
  return omitUndefined({ username: checkEmail(fieldValue(form, "username")) });
}
