import { useEffect, useRef, useState, type FormEvent } from "react";
import { useRevalidator } from "react-router";
import { ApiError, serverFieldErrors, serverMessage } from "../../shared/api-client";
import { checkCode } from "../../shared/confirmation-code";
import { failed, fieldErrorsOf, fieldValue, succeeded, type FormResult } from "../../shared/form-result";
import { checkEmail } from "../../shared/rules";
import { session } from "../../shared/session";
import { sessionStore } from "../../shared/storage";
import { AuthenticationCodeField } from "../../shared/ui/authentication-code-field";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Card } from "../../shared/ui/page";
import { omitUndefined, useFieldErrors } from "../../shared/use-field-errors";
import { confirmEmailChange, requestEmailChange } from "./api";

interface Props {
  /** The current address. */
  email: string;
}

/** Where the codes were sent. The new address is unknown in another tab than the one that requested them. */
interface Sent {
  current: string;
  new?: string;
}

const SENT = "email-change";

/** Stores both addresses for this tab, separated by a space: a phone may discard the page while its mail app is open. */
function saveSent(sent: Sent | undefined): void {
  if (sent === undefined) sessionStore.removeItem(SENT);
  else sessionStore.setItem(SENT, [sent.current, sent.new ?? ""].join(" "));
}

function loadSent(): Sent | undefined {
  const [current, to] = sessionStore.getItem(SENT)?.split(" ") ?? [];
  if (!current) return undefined;
  return { current, ...(to && { new: to }) };
}

/** Another email address for the account, with a code for each of the two addresses. */
export function ChangeEmail({ email }: Props) {
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);
  const [sent, setSent] = useState(loadSent);
  // Another tab may have logged in to another account, or finished the change.
  const sentTo = sent?.current === email ? sent : undefined;
  const [result, setResult] = useState<FormResult>();
  const [isBusy, setBusy] = useState(false);
  // Of an administrator.
  const [needsCode, setNeedsCode] = useState(false);

  async function run(step: () => Promise<FormResult>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setResult(undefined);
    const outcome = await step().catch((error: unknown) => {
      const message = serverMessage(error, "An error occurred.");
      if (!(error instanceof ApiError && error.code === "TotpRequired"))
        return failed(message, serverFieldErrors(error));
      setNeedsCode(true);
      return failed(message, { totp: message });
    });
    setBusy(false);
    setResult(outcome);
  }

  async function send(form: FormData): Promise<FormResult> {
    const to = fieldValue(form, "email").trim();
    const totp = fieldValue(form, "totp").trim();
    await requestEmailChange({ email: to, ...(totp !== "" && { totp }) });
    goTo({ current: email, new: to });
    setNeedsCode(false);
    return succeeded("We emailed a 6-digit code to each of the two addresses. The codes expire in 10 minutes.");
  }

  async function confirm(form: FormData): Promise<FormResult> {
    await confirmEmailChange({
      current_code: fieldValue(form, "current_code").trim(),
      new_code: fieldValue(form, "new_code").trim(),
    });
    // The access token names the address.
    await session.refresh();
    await revalidate();
    goTo(undefined);
    // The form with the focus is gone.
    heading.current?.focus();
    return succeeded("Your email address was changed.");
  }

  function goTo(codes: Sent | undefined) {
    saveSent(codes);
    setSent(codes);
  }

  const form = { result, isBusy };
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="mb-1 text-xl">
        Email Address
      </h2>
      <p className="mb-4 break-words text-muted">{email}</p>
      {sentTo === undefined ? (
        <AddressForm
          key={email}
          {...form}
          needsCode={needsCode}
          onSubmit={(data) => void run(() => send(data))}
          onHasCodes={() => {
            goTo({ current: email });
            setResult(undefined);
          }}
        />
      ) : (
        <CodesForm
          {...form}
          sentTo={sentTo}
          onSubmit={(data) => void run(() => confirm(data))}
          onBack={() => {
            goTo(undefined);
            setResult(undefined);
            heading.current?.focus();
          }}
        />
      )}
    </Card>
  );
}

interface FormProps {
  result: FormResult | undefined;
  isBusy: boolean;
  onSubmit: (form: FormData) => void;
}

function AddressForm({
  needsCode,
  result,
  isBusy,
  onSubmit,
  onHasCodes,
}: FormProps & { needsCode: boolean; onHasCodes: () => void }) {
  const { errors, formProps } = useFieldErrors(validateAddress, fieldErrorsOf(result));
  return (
    <form className="space-y-4" {...formProps} onSubmit={submitted(formProps.onSubmit, onSubmit)}>
      <TextField
        label="New Email"
        name="email"
        type="email"
        autoComplete="email"
        enterKeyHint={needsCode ? "next" : "go"}
        error={errors["email"]}
      />
      {needsCode && <AuthenticationCodeField error={errors["totp"]} />}
      <p className="text-muted">We’ll email a code to your current address and another to the new one.</p>
      <Button type="submit" disabled={isBusy}>
        {isBusy ? "Sending..." : "Email Me the Codes"}
      </Button>
      <p>
        <button type="button" className="text-link" disabled={isBusy} onClick={onHasCodes}>
          I already have the codes
        </button>
      </p>
      <FormResultNotice result={result} />
    </form>
  );
}

function CodesForm({ sentTo, result, isBusy, onSubmit, onBack }: FormProps & { sentTo: Sent; onBack: () => void }) {
  const { errors, formProps } = useFieldErrors(validateCodes, fieldErrorsOf(result));
  const form = formProps.ref;
  useEffect(() => {
    form.current?.querySelector("input")?.focus();
  }, [form]);
  const codeField = { inputMode: "numeric", autoComplete: "one-time-code", maxLength: 12 } as const;
  return (
    <form className="space-y-4" {...formProps} onSubmit={submitted(formProps.onSubmit, onSubmit)}>
      <TextField
        {...codeField}
        label={`Code Sent to ${sentTo.current}`}
        name="current_code"
        enterKeyHint="next"
        error={errors["current_code"]}
      />
      <TextField
        {...codeField}
        label={sentTo.new === undefined ? "Code Sent to Your New Email" : `Code Sent to ${sentTo.new}`}
        name="new_code"
        enterKeyHint="go"
        error={errors["new_code"]}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={isBusy}>
          {isBusy ? "Saving..." : "Change Email"}
        </Button>
        <Button type="button" variant="secondary" disabled={isBusy} onClick={onBack}>
          Start Over
        </Button>
      </div>
      <FormResultNotice result={result} />
    </form>
  );
}

/** Calls `send` with the values of a valid form. */
function submitted(check: (event: FormEvent<HTMLFormElement>) => void, send: (form: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    check(event);
    if (event.defaultPrevented) return;
    event.preventDefault();
    send(new FormData(event.currentTarget));
  };
}

function validateAddress(form: FormData) {
  return omitUndefined({ email: checkEmail(fieldValue(form, "email")) });
}

function validateCodes(form: FormData) {
  return omitUndefined({
    current_code: checkCode(fieldValue(form, "current_code")),
    new_code: checkCode(fieldValue(form, "new_code")),
  });
}
