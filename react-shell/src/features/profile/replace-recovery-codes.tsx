import { useState, type FormEvent } from "react";
import { serverFieldErrors, serverMessage } from "../../shared/api-client";
import { failed, fieldErrorsOf, fieldValue, type FormResult } from "../../shared/form-result";
import { AuthenticationCodeField } from "../../shared/ui/authentication-code-field";
import { Button } from "../../shared/ui/button";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Notice } from "../../shared/ui/notice";
import { Card } from "../../shared/ui/page";
import { RecoveryCodes } from "../../shared/ui/recovery-codes";
import { replaceRecoveryCodes } from "./api";

/** For an account with a second factor: new recovery codes in place of the earlier ones. */
export function ReplaceRecoveryCodes({ left }: { left: number }) {
  const [codes, setCodes] = useState<string[]>();
  const [result, setResult] = useState<FormResult>();
  const [isBusy, setBusy] = useState(false);

  async function replace(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isBusy) return;
    const totp = fieldValue(new FormData(event.currentTarget), "totp").trim();
    setBusy(true);
    setResult(undefined);
    try {
      const { recovery_codes } = await replaceRecoveryCodes({ totp });
      setCodes(recovery_codes);
    } catch (error) {
      setResult(failed(serverMessage(error, "An error occurred."), serverFieldErrors(error)));
    }
    setBusy(false);
  }

  if (codes !== undefined) {
    return (
      <Card>
        <div className="space-y-4">
          <Notice kind="success">Your recovery codes were replaced.</Notice>
          <RecoveryCodes codes={codes} />
        </div>
      </Card>
    );
  }
  return (
    <Card>
      <h2 className="mb-1 text-xl">Recovery Codes</h2>
      <p className="mb-4 text-muted">
        They take the place of your authenticator app if you lose your phone.{" "}
        {left === 0 ? "None are" : `${left} of 10 are`} left. New codes replace them.
      </p>
      <form className="space-y-4" onSubmit={(event) => void replace(event)}>
        <AuthenticationCodeField focuses={false} error={fieldErrorsOf(result)?.["totp"]} />
        <Button type="submit" disabled={isBusy}>
          Replace Recovery Codes
        </Button>
        <FormResultNotice result={result} />
      </form>
    </Card>
  );
}
