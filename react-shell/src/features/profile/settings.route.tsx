import { useActionData, useLoaderData, type ActionFunctionArgs, type LoaderFunctionArgs } from "react-router";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { requireSignedIn } from "../../shared/auth-guard";
import { codeFieldErrors } from "../../shared/confirmation-code";
import { failed, fieldValue, succeeded } from "../../shared/form-result";
import { useRootData } from "../../shared/root-data";
import { Card } from "../../shared/ui/page";
import { useSession } from "../../shared/use-session";
import type { Schema } from "../../shared/api-types";
import { changePassword, findUser, listPasskeys, requestPasswordCode, setPassword } from "./api";
import { ChangeEmail } from "./change-email";
import { ChangePassword } from "./change-password";
import { Passkeys } from "./passkeys";
import { ReplaceRecoveryCodes } from "./replace-recovery-codes";
import { SetPassword } from "./set-password";
import type { SettingsResult } from "./settings-result";

interface Loaded {
  /** Undefined if it could not be loaded. */
  email: string | undefined;
  /** True if it is not known. */
  hasPassword: boolean;
  /** Of an account with a second factor. */
  recoveryCodesLeft: number | undefined;
  /** Undefined if they could not be loaded. */
  passkeys: Schema<"Passkey">[] | undefined;
}

export async function loader({ request }: LoaderFunctionArgs): Promise<Loaded> {
  requireSignedIn(request);
  const [attributes, passkeys] = await Promise.all([
    findAttributes().catch(() => new Map<string, string>()),
    listPasskeys().then(
      (response) => response.passkeys,
      () => undefined,
    ),
  ]);
  const left = attributes.get("recovery_codes_left");
  return {
    email: attributes.get("email"),
    hasPassword: attributes.get("has_password") !== "false",
    recoveryCodesLeft: left === undefined ? undefined : Number(left),
    passkeys,
  };
}

async function findAttributes(): Promise<Map<string, string>> {
  const { data } = await findUser();
  return new Map(data.UserAttributes.map(({ Name, Value }) => [Name, Value]));
}

export async function action({ request }: ActionFunctionArgs): Promise<SettingsResult> {
  const { email } = requireSignedIn(request);
  const form = await request.formData();
  const intent = fieldValue(form, "intent");
  if (intent === "send-code") return sendCode(email);
  return intent === "set-password" ? setFirstPassword(email, form) : change(form);
}

async function sendCode(email: string): Promise<SettingsResult> {
  try {
    await requestPasswordCode({ username: email });
    return { ...succeeded("We emailed you a 6-digit code. It expires in 10 minutes."), isCodeSent: true };
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."));
  }
}

async function setFirstPassword(email: string, form: FormData): Promise<SettingsResult> {
  try {
    const confirmationCode = fieldValue(form, "confirmationCode").trim();
    await setPassword({ username: email, confirmationCode, password: fieldValue(form, "password") });
    return succeeded("Your password is set. You were logged out on all other devices.");
  } catch (error) {
    const fields = { ...serverFieldErrors(error), ...codeFieldErrors(error, "confirmationCode") };
    return { ...failed(serverMessage(error, "An error occurred."), fields), isCodeSent: true };
  }
}

async function change(form: FormData): Promise<SettingsResult> {
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
  const { email, hasPassword, recoveryCodesLeft, passkeys } = useLoaderData<Loaded>();
  const result = useActionData<SettingsResult>();
  const session = useSession();
  const { shop_name: shopName } = useRootData().config;
  // The session of another device learns of a changed address with its next access token.
  const ofSession = session.kind === "signed-in" ? session.email : "";
  const form = { email: email ?? ofSession, shopName, result };
  return (
    <div className="max-w-2xl space-y-6">
      <ChangeEmail email={form.email} />
      <Passkeys passkeys={passkeys} />
      {recoveryCodesLeft !== undefined && <ReplaceRecoveryCodes left={recoveryCodesLeft} />}
      <Card>
        <h2 className="mb-4 text-xl">{hasPassword ? "Change Password" : "Set a Password"}</h2>
        {hasPassword ? <ChangePassword {...form} /> : <SetPassword {...form} />}
      </Card>
    </div>
  );
}
