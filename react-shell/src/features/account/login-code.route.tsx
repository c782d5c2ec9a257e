import { useEffect, useRef, useState } from "react";
import {
  Form,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { checkCode, codeFieldErrors } from "../../shared/confirmation-code";
import { redirectFrom } from "../../shared/document-navigation";
import { succeeded, failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { takeReturnPath } from "../../shared/return-path";
import { checkEmail } from "../../shared/rules";
import { session } from "../../shared/session";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/timings";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { ShopLink } from "../../shared/ui/link";
import { Card, Page } from "../../shared/ui/page";
import { omitUndefined, useFieldErrors } from "../../shared/use-field-errors";
import { useDelayedRedirect } from "../../shared/use-navigate-to";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { logInWithCode } from "./api";
import { BotCheck } from "./bot-check";
import { withDeviceToken } from "./device-token";
import { loginToken } from "./login-token";
import { isCodeSentTo, pendingEmail } from "./pending-email";
import { sendLoginCode } from "./send-login-code";
import { startSession } from "./start-session";
import { useBotCheck } from "./use-bot-check";
import { useResendDelay } from "./use-resend-delay";

interface Start {
  email: string;
  /** This browser has requested a code for the address. */
  isSent: boolean;
}

export function loader({ request }: LoaderFunctionArgs): Start {
  if (session.state().kind === "signed-in") throw redirectFrom(request, takeReturnPath() ?? paths.home);
  const email = new URL(request.url).searchParams.get("email") ?? pendingEmail();
  return { email, isSent: loginToken() !== undefined && isCodeSentTo(email) };
}

/** The page shows its message after a login. Running the loader again would redirect at once. */
export const shouldRevalidate = () => false;

type CodeLogInResult = FormResult & { to?: string; sentTo?: string };

export async function action({ request }: ActionFunctionArgs): Promise<CodeLogInResult> {
  const form = await request.formData();
  const username = fieldValue(form, "username").trim();
  return fieldValue(form, "intent") === "send"
    ? send(username, fieldValue(form, "recaptchaToken"))
    : logIn(username, fieldValue(form, "code").trim());
}

async function send(username: string, recaptchaToken: string): Promise<CodeLogInResult> {
  try {
    return { ...succeeded(await sendLoginCode(username, recaptchaToken)), sentTo: username };
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."), serverFieldErrors(error));
  }
}

async function logIn(username: string, code: string): Promise<CodeLogInResult> {
  try {
    startSession(await logInWithCode(withDeviceToken({ username, code, login_token: loginToken() ?? "" })));
    return { ...succeeded("You’re logged in."), to: takeReturnPath() ?? paths.home };
  } catch (error) {
    const fields = { ...serverFieldErrors(error), ...codeFieldErrors(error, "code") };
    return failed(serverMessage(error, "An error occurred."), fields);
  }
}

export function Component() {
  const start = useLoaderData<Start>();
  const result = useActionData<CodeLogInResult>();
  const [sentTo, setSentTo] = useState(start.isSent ? start.email : undefined);
  if (result?.sentTo !== undefined && result.sentTo !== sentTo) setSentTo(result.sentTo);
  useDelayedRedirect(result?.to, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Log In with a Code" width="form">
      <Card>
        {sentTo === undefined ? (
          <SendForm email={start.email} result={result} />
        ) : (
          <>
            <CodeForm email={sentTo} result={result} />
            <ResendForm key={sentTo} email={sentTo} result={result} />
          </>
        )}
      </Card>
      <p className="mt-6 text-center">
        <ShopLink to={paths.login} replace className="text-link">
          Use a password instead
        </ShopLink>
      </p>
    </Page>
  );
}

interface FormProps {
  email: string;
  result: CodeLogInResult | undefined;
}

/** The first form of a browser that has no code yet. */
function SendForm({ email, result }: FormProps) {
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors(validateEmail, fieldErrorsOf(result));
  const check = useBotCheck(formProps.onSubmit, useSingleSubmit(formProps.onSubmit, result));
  return (
    <Form method="post" className="space-y-4" {...formProps} onSubmit={check.onSubmit}>
      <p>Enter your email and we’ll send you a code. If you’re new here, we’ll create your account.</p>
      <TextField
        label="Email"
        name="username"
        type="email"
        autoComplete="username"
        enterKeyHint="send"
        defaultValue={email}
        error={errors["username"]}
      />
      <BotCheck action="login" onToken={check.onToken} resetKey={result?.kind === "failed" ? result : undefined} />
      <Button
        type="submit"
        name="intent"
        value="send"
        variant="primary"
        className="w-full"
        disabled={isBusy || check.isWaiting}
      >
        {check.isWaiting ? "Checking…" : isBusy ? "Sending..." : "Email Me a Code"}
      </Button>
      <FormResultNotice result={result} />
    </Form>
  );
}

function CodeForm({ email, result }: FormProps) {
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors(validateCode, fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  const isDone = result?.to !== undefined;
  const field = useRef<HTMLDivElement>(null);
  useEffect(() => {
    field.current?.querySelector("input")?.focus();
  }, []);
  return (
    <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
      <p>
        We emailed a 6-digit code to <span className="font-medium break-words">{email}</span>. It expires in 10 minutes.
      </p>
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <div ref={field}>
        <TextField
          label="Code"
          name="code"
          data-autofocus
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          maxLength={12}
          error={errors["code"]}
        />
      </div>
      <Button type="submit" variant="primary" className="w-full" disabled={isBusy || isDone}>
        {isBusy ? "Logging in..." : "Log In"}
      </Button>
      <FormResultNotice result={result} />
    </Form>
  );
}

/** A form of its own, so that the bot check starts only when a new code is wanted. */
function ResendForm({ email, result }: FormProps) {
  const isBusy = useNavigation().state === "submitting";
  const isEnabled = useResendDelay();
  const noErrors = useFieldErrors(() => ({}), undefined).formProps;
  const check = useBotCheck(noErrors.onSubmit, useSingleSubmit(noErrors.onSubmit, result));
  return (
    <Form method="post" className="mt-4" onSubmit={check.onSubmit}>
      <input type="hidden" name="username" value={email} />
      <Button
        type="submit"
        name="intent"
        value="send"
        className="w-full"
        disabled={isBusy || check.isWaiting || !isEnabled}
      >
        {check.isWaiting ? "Checking…" : "Resend Code"}
      </Button>
      <BotCheck action="login" onToken={check.onToken} resetKey={result} />
    </Form>
  );
}

function validateEmail(form: FormData) {
  return omitUndefined({ username: checkEmail(fieldValue(form, "username")) });
}

function validateCode(form: FormData) {
  return omitUndefined({ code: checkCode(fieldValue(form, "code")) });
}
