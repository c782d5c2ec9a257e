import { useState } from "react";
import { Form, useActionData, useNavigation, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { serverFields, serverSentence } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/delays";
import { redirectFrom } from "../../shared/document-navigation";
import { done, failed, fieldsOf, text, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { useRootData } from "../../shared/root-data";
import { checkConfirmation, checkEmail } from "../../shared/rules";
import { session } from "../../shared/session";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { checkNewPassword, NewPasswordFields } from "../../shared/ui/new-password-fields";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, withoutNothing } from "../../shared/use-field-errors";
import { useGoLater } from "../../shared/use-go";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { signUp } from "./api";
import { BotCheck } from "./bot-check";
import { keepPendingEmail } from "./pending-email";

export function loader({ request }: LoaderFunctionArgs) {
  if (session.state().kind === "signed-in") throw redirectFrom(request, paths.profile);
  return null;
}

export async function action({ request }: ActionFunctionArgs): Promise<Outcome> {
  const form = await request.formData();
  const email = text(form, "email").trim();
  try {
    const { message } = await signUp({
      email,
      password: text(form, "password"),
      recaptchaToken: text(form, "recaptchaToken"),
    });
    keepPendingEmail(email);
    return done(message);
  } catch (error) {
    const sentence = serverSentence(error, "");
    return failed(sentence === "" ? "An error occurred." : `Error: ${sentence}`, serverFields(error));
  }
}

export function Component() {
  const outcome = useActionData<Outcome>();
  const isBusy = useNavigation().state === "submitting";
  const { shopName } = useRootData().config;
  const [token, setToken] = useState<string>();
  const { errors, formProps } = useFieldErrors((form) => check(form, shopName), fieldsOf(outcome));
  const submit = useSingleSubmit(formProps.onSubmit, outcome);
  const isDone = outcome?.kind === "done";
  useGoLater(isDone ? paths.confirmEmail : undefined, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Register" width="form">
      <Card>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
          <TextField label="Email" name="email" type="email" autoComplete="email" error={errors["email"]} />
          <TextField
            label="Confirm Email"
            name="confirmEmail"
            type="email"
            autoComplete="email"
            error={errors["confirmEmail"]}
          />
          <NewPasswordFields
            name="password"
            label="Password"
            confirmLabel="Confirm Password"
            hint="At least 10 characters. A few words that you can remember make a good one."
            errors={errors}
          />
          <BotCheck action="signup" onToken={setToken} spentBy={outcome?.kind === "failed" ? outcome : undefined} />
          <Button type="submit" look="primary" className="w-full" disabled={isBusy || isDone || token === undefined}>
            {isBusy ? "Registering..." : "Register"}
          </Button>
          <OutcomeNotice outcome={outcome} />
        </Form>
      </Card>
      <p className="mt-6 text-center">
        Already have an account?{" "}
        <ShopLink to={paths.login} className={TEXT_LINK}>
          Log in
        </ShopLink>
      </p>
    </Page>
  );
}

function check(form: FormData, shopName: string) {
  const email = text(form, "email");
  return withoutNothing({
    email: checkEmail(email),
    confirmEmail: checkConfirmation("email", email, text(form, "confirmEmail")),
    ...checkNewPassword(form, "password", "password", { email, shopName }),
  });
}
