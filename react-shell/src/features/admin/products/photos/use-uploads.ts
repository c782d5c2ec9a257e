import { useEffect, useRef, useState } from "react";
import { ApiError, serverFieldErrors, serverMessage } from "../../../../shared/api-client";
import { addPhoto } from "./api";

/** In bytes. The server has the same limit, but would receive the whole file first. */
const MAX_FILE = 15 * 1024 * 1024;
const TOO_LARGE = "Photos are limited to 15 MB. Make this one smaller and try again.";
const FAILED = "This photo couldn’t be uploaded. Check your connection and try again.";

export interface Upload {
  key: number;
  file: File;
  /** Id of the photo whose place it takes. */
  replaces: string | undefined;
  state:
    | { kind: "waiting" }
    /** From 0 to 1; at 1 the server processes the photo. */
    | { kind: "sending"; sent: number }
    /** A file that the server rejected stays invalid; anything else may be tried again. */
    | { kind: "failed"; message: string; canRetry: boolean };
}

type State = Upload["state"];

/** Uploads files one after the other. `onAdded` resolves once the new photo is in the list. */
export function useUploads(productId: string, onAdded: () => Promise<void>) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const nextKey = useRef(0);
  const queue = useRef(Promise.resolve());
  const aborter = useRef<AbortController>(undefined);

  useEffect(() => {
    aborter.current = new AbortController();
    return () => aborter.current?.abort();
  }, []);

  function setState(key: number, state: State) {
    setUploads((all) => all.map((upload) => (upload.key === key ? { ...upload, state } : upload)));
  }

  function dismiss(key: number) {
    setUploads((all) => all.filter((upload) => upload.key !== key));
  }

  async function send({ key, file, replaces }: Upload) {
    const signal = aborter.current?.signal;
    if (signal === undefined || signal.aborted) return;
    setState(key, { kind: "sending", sent: 0 });
    try {
      await addPhoto(productId, file, replaces, {
        signal,
        onProgress: (sent) => setState(key, { kind: "sending", sent }),
      });
      await onAdded();
      dismiss(key);
    } catch (error) {
      if (!signal.aborted) setState(key, failure(error));
    }
  }

  function enqueue(upload: Upload) {
    queue.current = queue.current.then(() => send(upload));
  }

  function add(files: Iterable<File>, replaces?: string) {
    const added = [...files].map((file) => toUpload(nextKey.current++, file, replaces));
    setUploads((all) => [...all, ...added]);
    for (const upload of added) if (upload.state.kind === "waiting") enqueue(upload);
  }

  function retry(upload: Upload) {
    setState(upload.key, { kind: "waiting" });
    enqueue(upload);
  }

  const isUploading = uploads.some(({ state }) => state.kind !== "failed");
  return { uploads, isUploading, add, retry, dismiss };
}

function toUpload(key: number, file: File, replaces: string | undefined): Upload {
  const isTooLarge = file.size > MAX_FILE;
  const state: State = isTooLarge ? { kind: "failed", message: TOO_LARGE, canRetry: false } : { kind: "waiting" };
  return { key, file, replaces, state };
}

function failure(error: unknown): State {
  const [message] = Object.values(serverFieldErrors(error));
  if (message !== undefined) return { kind: "failed", message, canRetry: false };
  const isTooLarge = error instanceof ApiError && error.status === 413;
  if (isTooLarge) return { kind: "failed", message: TOO_LARGE, canRetry: false };
  return { kind: "failed", message: serverMessage(error, FAILED), canRetry: true };
}
