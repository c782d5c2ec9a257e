import { useState, type FormEvent } from "react";
import {
  Form,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { ApiError, serverFieldErrors, serverMessage } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/timings";
import { redirectFrom } from "../../shared/document-navigation";
import { succeeded, failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { takeReturnPath, wasLoggedOut } from "../../shared/return-path";
import { checkEmail } from "../../shared/rules";
import { session } from "../../shared/session";
import { localStore } from "../../shared/storage";
import { AuthenticationCodeField } from "../../shared/ui/authentication-code-field";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { PasswordField } from "../../shared/ui/password-field";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, omitUndefined } from "../../shared/use-field-errors";
import { useDelayedRedirect } from "../../shared/use-navigate-to";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { logIn } from "./api";
import { BotCheck } from "./bot-check";
import { withDeviceToken } from "./device-token";
import { pendingEmail, savePendingEmail } from "./pending-email";
import { sendLoginCode } from "./send-login-code";
import { startSession } from "./start-session";
import { useBotCheck } from "./use-bot-check";
import { usePasskeyLogin } from "./use-passkey-login";

export function loader({ request }: LoaderFunctionArgs) {
  // A confirmed sign-up has logged in already: on to the checkout, for example.
  if (session.state().kind === "signed-in") throw redirectFrom(request, takeReturnPath() ?? paths.home);
  return { wasLoggedOut: wasLoggedOut(), email: pendingEmail() };
}

/** The page shows its message after a login. Running the loader again would redirect at once. */
export const shouldRevalidate = () => false;

/** `requiresTotp`: the password is correct, and two-factor authentication requires a TOTP code. */
type LogInResult = FormResult & { to?: string; mayBeUnconfirmed?: true; requiresTotp?: true };

export async function action({ request }: ActionFunctionArgs): Promise<LogInResult | Response> {
  const form = await request.formData();
  const username = fieldValue(form, "username").trim();
  return fieldValue(form, "intent") === "code" ? sendCode(request, form, username) : logInWithPassword(form, username);
}

async function sendCode(request: Request, form: FormData, username: string): Promise<LogInResult | Response> {
  try {
    await sendLoginCode(username, fieldValue(form, "recaptchaToken"));
    return redirectFrom(request, paths.loginCode);
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."), serverFieldErrors(error));
  }
}

async function logInWithPassword(form: FormData, username: string): Promise<LogInResult> {
  const totp = fieldValue(form, "totp").trim();
  const recaptchaToken = fieldValue(form, "recaptchaToken");
  try {
    const body = { username, password: fieldValue(form, "password"), recaptchaToken, ...(totp !== "" && { totp }) };
    startSession(await logIn(withDeviceToken(body)));
    return { ...succeeded("You’re logged in."), to: takeReturnPath() ?? paths.home };
  } catch (error) {
    const result = failed(serverMessage(error, "An error occurred."), serverFieldErrors(error));
    if (!(error instanceof ApiError)) return result;
    if (error.code === "TotpRequired") return { ...result, requiresTotp: true };
    if (error.code !== "BadCredentials") return result;
    savePendingEmail(username);
    return { ...result, mayBeUnconfirmed: true };
  }
}

export function Component() {
  const start = useLoaderData<{ wasLoggedOut: boolean; email: string }>();
  const result = useActionData<LogInResult>();
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  const requiresTotp = useLatch(result?.requiresTotp === true);
  const check = useBotCheck(formProps.onSubmit, useSingleSubmit(formProps.onSubmit, result));
  const passkey = usePasskeyLogin();
  const isLoggedIn = result?.kind === "succeeded" || passkey.result?.kind === "succeeded";
  useDelayedRedirect(result?.to ?? passkey.result?.to, REDIRECT_AFTER_SUCCESS_MS);

  function submit(event: FormEvent<HTMLFormElement>) {
    passkey.clearResult();
    check.onSubmit(event);
  }

  return (
    <Page title="Login" width="form">
      {!localStore.isAvailable() && <StorageWarning />}
      <Card>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
          {start.wasLoggedOut && !isLoggedIn && <Notice kind="info">You were logged out. Log in to continue.</Notice>}
          <TextField
            label="Email"
            name="username"
            type="email"
            autoComplete={passkey.isOffered ? "username webauthn" : "username"}
            enterKeyHint="next"
            defaultValue={start.email}
            error={errors["username"]}
          />
          <PasswordField
            label="Password"
            name="password"
            autoComplete="current-password"
            enterKeyHint="go"
            error={errors["password"]}
          />
          {requiresTotp && <AuthenticationCodeField error={errors["totp"]} />}
          <p>
            <ShopLink to={paths.forgotPassword} replace className="text-link">
              Forgot Password
            </ShopLink>
          </p>
          <BotCheck action="login" onToken={check.onToken} resetKey={result?.kind === "failed" ? result : undefined} />
          <Button type="submit" variant="primary" className="w-full" disabled={isBusy || check.isWaiting || isLoggedIn}>
            {check.isWaiting ? "Checking…" : isBusy ? "Logging in..." : "Login"}
          </Button>
          <Button
            type="submit"
            name="intent"
            value="code"
            className="w-full"
            disabled={isBusy || check.isWaiting || isLoggedIn}
          >
            Email Me a Code Instead
          </Button>
          {passkey.isOffered && (
            <Button className="w-full" disabled={isBusy || passkey.isBusy || isLoggedIn} onClick={passkey.logIn}>
              Log In with a Passkey
            </Button>
          )}
          <FormResultNotice result={passkey.result ?? result} />
          {result?.mayBeUnconfirmed && <ConfirmationLink />}
        </Form>
      </Card>
      <p className="mt-4 text-center">
        New here?{" "}
        <ShopLink to={paths.register} replace className="text-link">
          Register
        </ShopLink>
      </p>
    </Page>
  );
}

/** Blocked browser storage, which would keep the session from lasting. */
function StorageWarning() {
  return (
    <div className="mb-6">
      <Notice kind="warning">
        Your browser blocks storage for this site, so you can’t stay logged in. Allow site data for this site in your
        browser’s settings, then reload this page.
      </Notice>
    </div>
  );
}

function ConfirmationLink() {
  return (
    <p>
      <ShopLink to={paths.confirmEmail} replace className="text-link">
        Confirm your email
      </ShopLink>
    </p>
  );
}

/** A latch: stays true once true. A wrong password later does not hide the code field again. */
function useLatch(now: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(false);
  if (now && !wasTrue) setWasTrue(true);
  return now || wasTrue;
}

/** An emailed code takes the place of the password. */
function validate(form: FormData) {
  const needsPassword = fieldValue(form, "intent") !== "code";
  return omitUndefined({
    username: checkEmail(fieldValue(form, "username")),
    password: needsPassword && fieldValue(form, "password") === "" ? "Enter your password." : undefined,
    totp:
      needsPassword && form.has("totp") && fieldValue(form, "totp").trim() === ""
        ? "Enter the code from your authenticator app."
        : undefined,
  });
}
