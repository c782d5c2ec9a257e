import { useEffect, useRef, useState } from "react";
import {
  Form,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
} from "react-router";
import { ApiError, serverFields, serverSentence } from "../../shared/api-client";
import { REDIRECT_AFTER_SUCCESS_MS } from "../../shared/delays";
import { redirectFrom } from "../../shared/document-navigation";
import { done, failed, fieldsOf, text, type Outcome } from "../../shared/outcome";
import { paths } from "../../shared/paths";
import { takeReturnPath, wasLoggedOut } from "../../shared/return-path";
import { checkEmail } from "../../shared/rules";
import { session } from "../../shared/session";
import { localStore } from "../../shared/storage";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { ShopLink, TEXT_LINK } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { OutcomeNotice } from "../../shared/ui/outcome-notice";
import { Card, Page } from "../../shared/ui/page";
import { useFieldErrors, withoutNothing } from "../../shared/use-field-errors";
import { useGoLater } from "../../shared/use-go";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { logIn } from "./api";
import { BotCheck } from "./bot-check";
import { keepDevice, withDevice } from "./device-token";
import { keepPendingEmail } from "./pending-email";

export function loader({ request }: LoaderFunctionArgs) {
  if (session.state().kind === "signed-in") throw redirectFrom(request, paths.home);
  return { wasLoggedOut: wasLoggedOut() };
}

/** After a log-in the page stays for its message; asking the loader again would leave at once. */
export const shouldRevalidate = () => false;

/** `asksForCode`: an administrator's password was right, and their app's code is wanted as well. */
type LogInOutcome = Outcome & { to?: string; mayBeUnconfirmed?: true; asksForCode?: true };

export async function action({ request }: ActionFunctionArgs): Promise<LogInOutcome> {
  const form = await request.formData();
  const username = text(form, "username").trim();
  const totp = text(form, "totp").trim();
  const recaptchaToken = text(form, "recaptchaToken");
  try {
    const body = { username, password: text(form, "password"), recaptchaToken, ...(totp !== "" && { totp }) };
    const { deviceToken, ...tokens } = await logIn(withDevice(body));
    keepDevice(deviceToken);
    session.begin(tokens);
    return { ...done("You are logged in."), to: takeReturnPath() ?? paths.home };
  } catch (error) {
    const outcome = failed(serverSentence(error, "An error occurred."), serverFields(error));
    if (!(error instanceof ApiError)) return outcome;
    if (error.code === "TotpRequired") return { ...outcome, asksForCode: true };
    if (error.code !== "BadCredentials") return outcome;
    keepPendingEmail(username);
    return { ...outcome, mayBeUnconfirmed: true };
  }
}

export function Component() {
  const start = useLoaderData<{ wasLoggedOut: boolean }>();
  const outcome = useActionData<LogInOutcome>();
  const isBusy = useNavigation().state === "submitting";
  const [token, setToken] = useState<string>();
  const { errors, formProps } = useFieldErrors(check, fieldsOf(outcome));
  const asksForCode = useOnceTrue(outcome?.asksForCode === true);
  const submit = useSingleSubmit(formProps.onSubmit, outcome);
  useGoLater(outcome?.to, REDIRECT_AFTER_SUCCESS_MS);

  return (
    <Page title="Login" width="form">
      {!localStore.isWorking() && (
        <div className="mb-6">
          <Notice kind="warn">
            Your browser blocks storage for this site, so you can’t stay logged in. Allow site data for this site in
            your browser’s settings, then reload this page.
          </Notice>
        </div>
      )}
      <Card>
        <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
          {start.wasLoggedOut && outcome?.kind !== "done" && (
            <Notice kind="info">You were logged out. Log in to continue.</Notice>
          )}
          <TextField label="Email" name="username" type="email" autoComplete="username" error={errors["username"]} />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="current-password"
            error={errors["password"]}
          />
          {asksForCode && <CodeField error={errors["totp"]} />}
          <p>
            <ShopLink to={paths.forgotPassword} className={TEXT_LINK}>
              Forgot Password
            </ShopLink>
          </p>
          <BotCheck action="login" onToken={setToken} spentBy={outcome?.kind === "failed" ? outcome : undefined} />
          <Button
            type="submit"
            look="primary"
            className="w-full"
            disabled={isBusy || token === undefined || outcome?.kind === "done"}
          >
            {isBusy ? "Logging in..." : "Login"}
          </Button>
          <OutcomeNotice outcome={outcome} />
          {outcome?.mayBeUnconfirmed && (
            <p>
              <ShopLink to={paths.confirmEmail} className={TEXT_LINK}>
                Confirm your email
              </ShopLink>
            </p>
          )}
        </Form>
      </Card>
      <p className="mt-6 text-center">
        New here?{" "}
        <ShopLink to={paths.register} className={TEXT_LINK}>
          Register
        </ShopLink>
      </p>
    </Page>
  );
}

/** It comes when the password was right, and takes the focus. */
function CodeField({ error }: { error: string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("input")?.focus(), []);
  return (
    <div ref={box}>
      <TextField
        label="Authentication code"
        name="totp"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        error={error}
      />
    </div>
  );
}

/** True from the first time on: a mistyped password afterwards does not take the field away again. */
function useOnceTrue(now: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(false);
  if (now && !wasTrue) setWasTrue(true);
  return now || wasTrue;
}

function check(form: FormData) {
  return withoutNothing({
    username: checkEmail(text(form, "username")),
    password: text(form, "password") === "" ? "Enter your password." : undefined,
    totp: form.has("totp") && text(form, "totp").trim() === "" ? "Enter the code that your app shows." : undefined,
  });
}
