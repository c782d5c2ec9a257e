import { useEffect } from "react";
import { Form, useActionData, useNavigation, type ActionFunctionArgs } from "react-router";
import { serverFields, serverSentence } from "../../shared/api-client";
import { done, failed, fieldsOf, text, type Outcome } from "../../shared/outcome";
import { useRootData } from "../../shared/root-data";
import { requireSignedIn } from "../../shared/signed-in";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card } from "../../shared/ui/page";
import { useFieldErrors, withoutNothing } from "../../shared/use-field-errors";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { useSession } from "../../shared/use-session";
import { changePassword } from "./api";

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  requireSignedIn(request);
  const form = await request.formData();
  try {
    const { message } = await changePassword({
      previousPassword: text(form, "previousPassword"),
      proposedPassword: text(form, "proposedPassword"),
    });
    return message ? done(message) : failed("Password change was unsuccessful. Please try again.");
  } catch (error) {
    return failed(serverSentence(error, "An error occurred while changing the password."), serverFields(error));
  }
}

export function Component() {
  const outcome = useActionData<Outcome>();
  const isBusy = useNavigation().state === "submitting";
  const who = useSession();
  const { shopName } = useRootData().config;
  const email = who.kind === "signed-in" ? who.email : "";
  const { errors, formProps } = useFieldErrors((form) => check(form, email, shopName), fieldsOf(outcome));
  const submit = useSingleSubmit(formProps.onSubmit, outcome);
  const form = formProps.ref;
  useEffect(() => {
    if (outcome?.kind === "done") form.current?.reset();
  }, [outcome, form]);

  return (
    <Card className="max-w-md">
      <h2 className="mb-4 text-xl">Change Password</h2>
      <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
        {/* Tells a password manager whose password this is. */}
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
        <Button type="submit" look="primary" disabled={isBusy}>
          {isBusy ? "Changing..." : "Change Password"}
        </Button>
        <OutcomeNotice outcome={outcome} />
      </Form>
    </Card>
  );
}

function check(form: FormData, email: string, shopName: string) {
  return withoutNothing({
    previousPassword: text(form, "previousPassword") === "" ? "Enter your current password." : undefined,
    ...checkNewPassword(form, "proposedPassword", "newPassword", { email, shopName }),
  });
}
