import { Form, useActionData, useNavigation } from "react-router";
import { serverMessage } from "../../shared/api-client";
import { failed, succeeded, type FormResult } from "../../shared/form-result";
import { paths } from "../../shared/paths";
import { session } from "../../shared/session";
import { Button } from "../../shared/ui/button";
import { buttonClass } from "../../shared/ui/button-class";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { ShopLink } from "../../shared/ui/link";
import { Card, Page } from "../../shared/ui/page";
import { useSingleSubmit } from "../../shared/use-single-submit";
import { undoEmailChange } from "./api";

type UndoResult = FormResult & { email?: string };

/** The token is in the fragment, which browsers send to no server. A mail scanner that opens the link undoes nothing. */
export async function action(): Promise<UndoResult> {
  const token = window.location.hash.slice(1);
  if (token === "") return failed("This link is incomplete. Open it from the email again.");
  try {
    const { email } = await undoEmailChange({ undo_token: token });
    // A session of this account has ended.
    if (session.state().kind === "signed-in") await session.refresh();
    return { ...succeeded(`Your account has the address ${email} again.`), email };
  } catch (error) {
    return failed(serverMessage(error, "An error occurred."));
  }
}

export function Component() {
  const result = useActionData<UndoResult>();
  const isBusy = useNavigation().state === "submitting";
  const submit = useSingleSubmit(() => undefined, result);
  return (
    <Page title="Undo Email Change" width="form">
      <Card>
        {result?.email === undefined ? (
          <Form method="post" className="space-y-4" onSubmit={submit}>
            <p>
              Someone changed your account’s email address. If it wasn’t you, undo the change: your account gets its
              earlier address back, and everyone is logged out.
            </p>
            <p>The password stops working, so no one can log in until you choose a new one.</p>
            <Button type="submit" variant="primary" className="w-full" disabled={isBusy}>
              {isBusy ? "Undoing..." : "Undo Change"}
            </Button>
            <FormResultNotice result={result} />
          </Form>
        ) : (
          <div className="space-y-4">
            <FormResultNotice result={result} />
            <p>All devices were logged out. Choose a new password to log in.</p>
            <ShopLink to={paths.forgotPasswordOf(result.email)} className={`${buttonClass("primary")} w-full`}>
              Choose a New Password
            </ShopLink>
          </div>
        )}
      </Card>
    </Page>
  );
}
