import { useEffect, useState } from "react";
import { Form, useActionData, useNavigation, type ActionFunctionArgs } from "react-router";
import { serverFields, serverSentence } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS, RESEND_ENABLED_AFTER_MS } from "../../shared/delays";
import { done, failed, fieldsOf, text, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { checkEmail } from "../../shared/rules";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, withoutNothing, type FieldErrors } from "../../shared/use-field-errors";
import { useGoLater } from "../../shared/use-go";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { confirmEmail, resendCode } from "./api";
import { checkCode, codeFields } from "./code";
import { dropPendingEmail, pendingEmail } from "./pending-email";

type ConfirmOutcome = Outcome & { isConfirmed?: true };

export async function action({ request }: ActionFunctionArgs): Promise<ConfirmOutcome> {
  const form = await request.formData();
  const username = text(form, "username").trim();
  return text(form, "intent") === "resend" ? resend(username) : confirm(username, text(form, "code").trim());
}

async function confirm(username: string, code: string): Promise<ConfirmOutcome> {
  try {
    const { message } = await confirmEmail({ username, code });
    dropPendingEmail();
    return { ...done(message), isConfirmed: true };
  } catch (error) {
    return failed(serverSentence(error, "An error occurred."), {
      ...serverFields(error),
      ...codeFields(error, "code"),
    });
  }
}

async function resend(username: string): Promise<ConfirmOutcome> {
  try {
    await resendCode({ username });
    return done("Confirmation code resent successfully.");
  } catch (error) {
    return failed("Failed to resend confirmation code.", serverFields(error));
  }
}

export function Component() {
  const outcome = useActionData<ConfirmOutcome>();
  const isBusy = useNavigation().state === "submitting";
  const [email] = useState(pendingEmail);
  const { errors, formProps } = useFieldErrors(check, fieldsOf(outcome));
  const submit = useSingleSubmit(formProps.onSubmit, outcome);
  useGoLater(outcome?.isConfirmed && paths.login, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Confirm Your Email" width="form">
      <Card>
        <p className="mb-4">We sent a mail with a code of six digits. It is good for ten minutes.</p>
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
          <Button type="submit" look="primary" className="w-full" disabled={isBusy || outcome?.isConfirmed}>
            {isBusy ? "Confirming..." : "Confirm Email"}
          </Button>
          <ResendButton isBusy={isBusy} />
          <OutcomeNotice outcome={outcome} />
        </Form>
      </Card>
    </Page>
  );
}

/** Asleep for the first 5 s, in which the first mail is most likely still on its way. */
function ResendButton({ isBusy }: { isBusy: boolean }) {
  const [isAwake, setAwake] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAwake(true), RESEND_ENABLED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div>
      <Button type="submit" name="intent" value="resend" className="w-full" disabled={isBusy || !isAwake}>
        Resend Code
      </Button>
      {!isAwake && <p className="mt-1 text-sm text-muted">The mail may take a few seconds.</p>}
    </div>
  );
}

/** A new code can be asked for without the old one. */
function check(form: FormData): FieldErrors {
  const needsCode = text(form, "intent") !== "resend";
  return withoutNothing({
    username: checkEmail(text(form, "username")),
    code: needsCode ? checkCode(text(form, "code")) : undefined,
  });
}
