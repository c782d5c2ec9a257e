import {
  Form,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "react-router";
import { serverMessage } from "../../shared/api-client";
import { failed, fieldValue, succeeded, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { session } from "../../shared/session";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { ShopLink } from "../../shared/ui/link";
import { Notice } from "../../shared/ui/notice";
import { Card, Page } from "../../shared/ui/page";
import { useOtherLink } from "../../shared/use-other-link";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { undoEmailChange } from "./api";

type UndoResult = FormResult & { email?: string };

interface Loaded {
  /** Of the link. */
  token: string;
}

/** The token is in the fragment, which browsers never send. Opening the link undoes nothing, because mail scanners open links. */
export function loader(): Loaded {
  return { token: window.location.hash.slice(1) };
}

/** A submission removes the fragment from the URL. */
export const shouldRevalidate = ({ formMethod }: ShouldRevalidateFunctionArgs) => formMethod === undefined;

export async function action({ request }: ActionFunctionArgs): Promise<UndoResult> {
  const token = fieldValue(await request.formData(), "token");
  try {
    const { email } = await undoEmailChange({ undo_token: token });
    // A session of this account has ended.
    if (session.state().kind === "signed-in") await session.refresh();
    return { ...succeeded(`Your account’s email address is ${email} again.`), email };
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."));
  }
}

export function Component() {
  const { token } = useLoaderData<Loaded>();
  const result = useActionData<UndoResult>();
  useOtherLink();
  return (
    <Page title="Undo Email Change" width="form">
      <Card>
        {result?.email !== undefined ? (
          <Undone email={result.email} result={result} />
        ) : token === "" ? (
          <Notice kind="error">This link is incomplete. Open it from the email again.</Notice>
        ) : (
          <UndoForm token={token} result={result} />
        )}
      </Card>
    </Page>
  );
}

function UndoForm({ token, result }: { token: string; result: UndoResult | undefined }) {
  const isBusy = useNavigation().state === "submitting";
  const submit = useSingleSubmit(() => undefined, result);
  return (
    <Form method="post" className="space-y-4" onSubmit={submit}>
      <p>
        Your account’s email address was changed. If you didn’t do this, undo it: your account gets its previous address
        back, and all devices are logged out.
      </p>
      <p>Your current password will stop working, so you’ll need to choose a new one.</p>
      <input type="hidden" name="token" value={token} />
      <Button type="submit" variant="primary" className="w-full" disabled={isBusy}>
        {isBusy ? "Undoing..." : "Undo Change"}
      </Button>
      <FormResultNotice result={result} />
    </Form>
  );
}

function Undone({ email, result }: { email: string; result: UndoResult }) {
  return (
    <div className="space-y-4">
      <FormResultNotice result={result} />
      <p>
        All devices of this account were logged out. Choose a new password to log in. Then remove any passkeys you don’t
        recognize in Settings: earlier ones still log in.
      </p>
      <ShopLink to={paths.forgotPasswordOf(email)} className={`${buttonClass("primary")} w-full`}>
        Choose a New Password
      </ShopLink>
    </div>
  );
}
