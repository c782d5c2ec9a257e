import { useEffect } from "react";
import { Form, useActionData, useNavigation, type ActionFunctionArgs } from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { succeeded, failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { useRootData } from "../../shared/root-data";
import { requireSignedIn } from "../../shared/auth-guard";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors, omitUndefined } from "../../shared/use-field-errors";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { useSession } from "../../shared/use-session";
import { changePassword } from "./api";

export async function action({ request }: ActionFunctionArgs): Promise<FormResult> {
  requireSignedIn(request);
  const form = await request.formData();
  try {
    const { message } = await changePassword({
      previousPassword: fieldValue(form, "previousPassword"),
      proposedPassword: fieldValue(form, "proposedPassword"),
    });
    return message ? succeeded(message) : failed("Password change was unsuccessful. Please try again.");
  } catch (error) {
    return failed(serverMessage(error, "An error occurred while changing the password."), serverFieldErrors(error));
  }
}

export function Component() {
  const result = useActionData<FormResult>();
  const isBusy = useNavigation().state === "submitting";
  const session = useSession();
  const { shop_name: shopName } = useRootData().config;
  const email = session.kind === "signed-in" ? session.email : "";
  const { errors, formProps } = useFieldErrors((form) => validate(form, email, shopName), fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  const form = formProps.ref;
  useEffect(() => {
    if (result?.kind === "succeeded") form.current?.reset();
  }, [result, form]);

  return (
    <Card className="max-w-md">
      <h2 className="mb-4 text-xl">Change Password</h2>
      <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
        {/* The username, for password managers. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <TextField
          label="Current Password"
          name="previousPassword"
          type="password"
          autoComplete="current-password"
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
    </Card>
  );
}

function validate(form: FormData, email: string, shopName: string) {
  return omitUndefined({
    previousPassword: fieldValue(form, "previousPassword") === "" ? "Enter your current password." : undefined,
    ...checkNewPassword(form, "proposedPassword", "new_password", { email, shopName }),
  });
}
