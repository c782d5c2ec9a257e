import { Form, useActionData, useNavigation, type ActionFunctionArgs } from "react-router";
import { serverFields, serverSentence } from "../../shared/api-client";
import { done, failed, fieldsOf, text, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { checkEmail } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { TextField } from "../../shared/ui/field";
import { ShopLink } from "../../shared/ui/link";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card, Page } from "../../shared/ui/page";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { useFieldErrors, withoutNothing } from "../../shared/use-field-errors";
import { forgotPassword } from "./api";
import { withDevice } from "./device-token";

type RequestOutcome = Outcome & { email?: string };

export async function action({ request }: ActionFunctionArgs): Promise<RequestOutcome> {
  const username = text(await request.formData(), "username").trim();
  try {
    const { message } = await forgotPassword(withDevice({ username }));
    return { ...done(message), email: username };
  } catch (error) {
    const sentence = serverSentence(error, "");
    return failed(sentence === "" ? "An error occurred." : `Error: ${sentence}`, serverFields(error));
  }
}

export function Component() {
  const outcome = useActionData<RequestOutcome>();
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors(check, fieldsOf(outcome));
  const submit = useSingleSubmit(formProps.onSubmit, outcome);

  return (
    <Page title="Forgot Password" width="form">
      <Card>
        <p className="mb-4">Enter your email. We send you a code with which you can set a new password.</p>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
          <TextField label="Email" name="username" type="email" autoComplete="username" error={errors["username"]} />
          <Button type="submit" look="primary" className="w-full" disabled={isBusy}>
            {isBusy ? "Sending..." : "Send Code"}
          </Button>
          <OutcomeNotice outcome={outcome} />
          {outcome?.email !== undefined && (
            <ShopLink to={paths.confirmForgotPassword(outcome.email)} className={`${buttonClass("secondary")} w-full`}>
              Enter the Code
            </ShopLink>
          )}
        </Form>
      </Card>
    </Page>
  );
}

function check(form: FormData) {
  return withoutNothing({ username: checkEmail(text(form, "username")) });
}
