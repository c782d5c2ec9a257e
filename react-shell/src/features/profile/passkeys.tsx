import { useEffect, useRef, useState, type FormEvent } from "react";
import { useRevalidator } from "react-router";
import { ApiError, serverFieldErrors, serverMessage } from "../../shared/api-client";
import type { Schema } from "../../shared/api-types";
import { failed, fieldErrorsOf, fieldValue, succeeded, type FormResult } from "../../shared/form-result";
import { endPasskeyOffer, offersPasskeys } from "../../shared/passkey-offer";
import { useRootData } from "../../shared/root-data";
import { AuthenticationCodeField } from "../../shared/ui/authentication-code-field";
import { Button } from "../../shared/ui/button";
import { TextField } from "../../shared/ui/field";
import { FormResultNotice } from "../../shared/ui/form-result-notice";
import { Notice } from "../../shared/ui/notice";
import { Card } from "../../shared/ui/page";
import { addPasskey, removePasskey, renamePasskey, startPasskey } from "./api";
import { deviceName } from "./device-name";
import { RecentTime } from "./recent-time";

type Passkey = Schema<"Passkey">;

interface Props {
  /** Undefined if they could not be loaded. */
  passkeys: Passkey[] | undefined;
}

/** The customer's passkeys: add, rename, remove. Hidden at an address that has none. */
export function Passkeys({ passkeys }: Props) {
  const isOffered = offersPasskeys(useRootData().config);
  const heading = useRef<HTMLHeadingElement>(null);
  // The button of a removed passkey disappears, and so does that of a form that ends.
  const list = usePasskeyList(() => {
    heading.current?.focus();
  });
  if (!isOffered && passkeys?.length === 0) return null;
  return (
    <Card>
      <h2 ref={heading} tabIndex={-1} className="mb-1 text-xl">
        Passkeys
      </h2>
      <p className="mb-4 text-muted">Log in with your fingerprint, face, or screen lock instead of a password.</p>
      {passkeys === undefined && (
        <Notice kind="error">Your passkeys couldn’t be loaded. Please try again later.</Notice>
      )}
      <ul className="divide-y divide-line">
        {passkeys?.map((passkey) => (
          <Row key={passkey.id} passkey={passkey} list={list} />
        ))}
      </ul>
      <div className="mt-4 space-y-4">
        {isOffered && <AddForm list={list} />}
        <FormResultNotice result={list.result} />
      </div>
    </Card>
  );
}

type List = ReturnType<typeof usePasskeyList>;

/** Runs one change at a time, then loads the list again. One passkey is renamed at a time. */
function usePasskeyList(focusHeading: () => void) {
  const { revalidate } = useRevalidator();
  const [result, setResult] = useState<FormResult>();
  const [isBusy, setBusy] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const [renamed, setRenamed] = useState<string>();

  async function run(change: () => Promise<FormResult | undefined>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setResult(undefined);
    const outcome = await change().catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "TotpRequired") setNeedsCode(true);
      return failed(serverMessage(error, "An error occurred."), serverFieldErrors(error));
    });
    setBusy(false);
    setResult(outcome);
    if (outcome?.kind !== "succeeded") return;
    setNeedsCode(false);
    await revalidate();
    endRename();
  }

  /** Opens the form for a new name. */
  function openRename(id: string) {
    setResult(undefined);
    setRenamed(id);
  }

  function endRename() {
    setRenamed(undefined);
    focusHeading();
  }

  return { result, isBusy, needsCode, renamed, run, openRename, endRename };
}

/** Adds a passkey. Administrators enter a code of their authenticator app first. */
function AddForm({ list }: { list: List }) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const totp = fieldValue(new FormData(event.currentTarget), "totp").trim();
    void list.run(() => add(totp));
  }

  return (
    <form className="space-y-4" onSubmit={submit}>
      {list.needsCode && <AuthenticationCodeField error={fieldErrorsOf(list.result)?.["totp"]} />}
      <Button type="submit" disabled={list.isBusy}>
        Add a Passkey
      </Button>
    </form>
  );
}

/** Undefined if the customer canceled. */
async function add(totp: string): Promise<FormResult | undefined> {
  const { ceremony_token, options } = await startPasskey(totp === "" ? {} : { totp });
  const { createPasskey, creationFailure } = await import("../../shared/passkey-ceremony");
  let credential;
  try {
    credential = await createPasskey(options);
  } catch (error) {
    const message = creationFailure(error);
    return message === undefined ? undefined : failed(message);
  }
  await addPasskey({ ceremony_token, credential, name: deviceName(navigator.userAgent).slice(0, 60) });
  endPasskeyOffer();
  return succeeded("Passkey added. You can use it for your next login.");
}

function Row({ passkey, list }: { passkey: Passkey; list: List }) {
  const { id, name } = passkey;
  if (list.renamed === id) return <RenameForm passkey={passkey} list={list} />;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0">
        <p className="font-medium break-words">{name}</p>
        <p className="text-sm text-muted">
          Added <RecentTime at={passkey.created_at_local} />,{" "}
          {passkey.last_used_at_local === null ? (
            "not used yet"
          ) : (
            <>
              last used <RecentTime at={passkey.last_used_at_local} />
            </>
          )}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          variant="ghost"
          aria-label={`Rename ${name}`}
          disabled={list.isBusy}
          onClick={() => list.openRename(id)}
        >
          Rename
        </Button>
        <Button
          variant="ghost"
          aria-label={`Remove ${name}`}
          disabled={list.isBusy}
          onClick={() => void list.run(() => remove(id))}
        >
          Remove
        </Button>
      </div>
    </li>
  );
}

async function remove(id: string): Promise<FormResult> {
  await removePasskey(id);
  return succeeded("Passkey removed. You can also delete it from your device.");
}

function RenameForm({ passkey, list }: { passkey: Passkey; list: List }) {
  const form = useFocusedInput();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const name = fieldValue(new FormData(event.currentTarget), "name");
    void list.run(() => rename(passkey.id, name));
  }

  return (
    <li className="py-3">
      <form ref={form} className="space-y-3" onSubmit={submit}>
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          maxLength={60}
          defaultValue={passkey.name}
          error={fieldErrorsOf(list.result)?.["name"]}
        />
        <div className="flex gap-2">
          <Button type="submit" variant="primary" disabled={list.isBusy}>
            Save
          </Button>
          <Button onClick={list.endRename}>Cancel</Button>
        </div>
      </form>
    </li>
  );
}

/** The field takes the place of the button that had the focus. */
function useFocusedInput() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const input = form.current?.querySelector("input");
    input?.focus();
    input?.select();
  }, []);
  return form;
}

async function rename(id: string, name: string): Promise<FormResult> {
  await renamePasskey(id, { name });
  return succeeded("Passkey renamed.");
}
