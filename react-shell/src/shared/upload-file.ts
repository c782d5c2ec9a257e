import { ApiError, NetworkError } from "./api-client";

export interface UploadOptions {
  token?: string | undefined;
  signal: AbortSignal;
  /** From 0 to 1; 1 when the server has all of the file. */
  onProgress: (sent: number) => void;
}

/** Sends a file as the body of a POST request. `fetch` reports no progress, so this is an `XMLHttpRequest`. */
export function uploadFile<T>(path: string, file: File, { token, signal, onProgress }: UploadOptions): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("Accept", "application/json");
    // The server decides by the content, so the browser's guess from the name is not sent.
    request.setRequestHeader("Content-Type", "application/octet-stream");
    if (token !== undefined) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("error", () => reject(new NetworkError(undefined)));
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("load", () => {
      const body = parse(request.responseText);
      if (request.status < 300 && body !== undefined) return resolve(body as T);
      return reject(request.status < 300 ? new NetworkError(undefined) : new ApiError(request.status, body ?? {}));
    });
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}

function parse(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
