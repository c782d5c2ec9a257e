import {
  Form,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import type { Schema } from "../../shared/api-types";
import { checkCode, codeFieldErrors } from "../../shared/confirmation-code";
import { failed, fieldErrorsOf, fieldValue, succeeded, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { TextField } from "../../shared/ui/field";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Card, Page } from "../../shared/ui/page";
import { RecoveryCodes } from "../../shared/ui/recovery-codes";
import { omitUndefined, useFieldErrors } from "../../shared/use-field-errors";
import { useOtherLink } from "../../shared/use-other-link";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { confirmSecondFactor, setUpSecondFactor } from "./api";

const INCOMPLETE = "This link is incomplete. Copy the whole link that nudgelight admin grant printed.";

interface Loaded {
  /** Of the link. */
  token: string;
  /** A message instead if the link does not work. */
  setup: Schema<"SecondFactorSetup"> | string;
}

/** The token is in the fragment, which browsers send to no server. */
export async function loader(): Promise<Loaded> {
  const token = window.location.hash.slice(1);
  if (token === "") return { token, setup: INCOMPLETE };
  try {
    return { token, setup: await setUpSecondFactor({ setup_token: token }) };
  } catch (error) {
    return { token, setup: serverMessage(error, "This page couldn’t be loaded. Reload it to try again.") };
  }
}

/** After the last step, the link no longer works. */
export const shouldRevalidate = ({ formMethod }: ShouldRevalidateFunctionArgs) => formMethod === undefined;

type SetupResult = FormResult & { recoveryCodes?: string[] };

export async function action({ request }: ActionFunctionArgs): Promise<SetupResult> {
  const form = await request.formData();
  try {
    const body = { setup_token: fieldValue(form, "token"), totp: fieldValue(form, "totp").trim() };
    const { recovery_codes: recoveryCodes } = await confirmSecondFactor(body);
    return { ...succeeded("Your authenticator app is set up."), recoveryCodes };
  } catch (error) {
    const fields = { ...serverFieldErrors(error), ...codeFieldErrors(error, "totp") };
    return failed(serverMessage(error, "An error occurred."), fields);
  }
}

export function Component() {
  const { token, setup } = useLoaderData<Loaded>();
  const result = useActionData<SetupResult>();
  useOtherLink();
  return (
    <Page
      title="Set Up Two-Factor Authentication"
      heading={
        <>
          Set Up <span className="whitespace-nowrap">Two-Factor</span> Authentication
        </>
      }
      width="form"
    >
      <Card>
        {result?.recoveryCodes !== undefined ? (
          <Codes codes={result.recoveryCodes} message={result.message} />
        ) : typeof setup === "string" ? (
          <Notice kind="error">{setup}</Notice>
        ) : (
          <Setup token={token} setup={setup} result={result} />
        )}
      </Card>
    </Page>
  );
}

interface SetupProps {
  token: string;
  setup: Schema<"SecondFactorSetup">;
  result: SetupResult | undefined;
}

function Setup({ token, setup, result }: SetupProps) {
  const isBusy = useNavigation().state === "submitting";
  const { errors, formProps } = useFieldErrors(validate, fieldErrorsOf(result));
  const submit = useSingleSubmit(formProps.onSubmit, result);
  return (
    <Form method="post" className="space-y-4" {...formProps} onSubmit={submit}>
      <p>
        Scan this QR code with an authenticator app. It’s for the account{" "}
        <span className="font-medium break-words">{setup.email}</span>.
      </p>
      {/* On white, whatever the theme: an app reads dark on light. */}
      <img
        src={`data:image/svg+xml;utf8,${encodeURIComponent(setup.qr_code)}`}
        alt="QR code for the authenticator app"
        width={200}
        height={200}
        className="mx-auto bg-white p-4"
      />
      <details>
        <summary className="text-link">Can’t scan it?</summary>
        <p className="mt-2">Enter this key in the app:</p>
        <p className="mt-1 font-mono break-words">{grouped(setup.secret)}</p>
      </details>
      <input type="hidden" name="token" value={token} />
      <TextField
        label="Authentication Code"
        name="totp"
        inputMode="numeric"
        autoComplete="one-time-code"
        enterKeyHint="done"
        maxLength={12}
        hint="The 6-digit code your app shows now."
        error={errors["totp"]}
      />
      <Button type="submit" variant="primary" className="w-full" disabled={isBusy}>
        {isBusy ? "Checking…" : "Finish Setup"}
      </Button>
      <FormResultNotice result={result} />
    </Form>
  );
}

function Codes({ codes, message }: { codes: string[]; message: string }) {
  return (
    <div className="space-y-4">
      <Notice kind="success">{message}</Notice>
      <RecoveryCodes codes={codes} />
      <ShopLink to={paths.login} replace className={`${buttonClass("primary")} w-full`}>
        Go to Login
      </ShopLink>
    </div>
  );
}

function grouped(secret: string): string {
  return secret.replaceAll(/(.{4})(?=.)/g, "$1 ");
}

function validate(form: FormData) {
  return omitUndefined({ totp: checkCode(fieldValue(form, "totp")) });
}
