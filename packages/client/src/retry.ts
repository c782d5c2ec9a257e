/** Sends a request. */
export type Fetch = (request: Request) => Promise<Response>;

/** A longer wait is the caller's decision: the error response is returned at once. */
const MAX_WAIT_MS = 30_000;
const IDEMPOTENT = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"];

/** Repeats idempotent requests after a 429 or 503, when `Retry-After` says, at most `retries` times. */
export async function fetchWithRetries(fetch: Fetch, request: Request, retries: number): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(request.clone());
    const isBusy = response.status === 429 || response.status === 503;
    const waitMs = (retryAfter(response) ?? 2 ** attempt) * 1_000;
    const isLast = attempt >= retries || waitMs > MAX_WAIT_MS;
    if (!isBusy || isLast || !IDEMPOTENT.includes(request.method)) return response;
    await response.body?.cancel();
    await sleep(waitMs, request.signal);
  }
}

/** The seconds of `Retry-After`, which may be a number or a date. */
export function retryAfter(response: Response): number | undefined {
  const value = response.headers.get("Retry-After");
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return abortable(new Promise((resolve) => setTimeout(resolve, ms)), signal);
}

/** Rejects when the signal aborts, without stopping the work, which other requests may wait for, too. */
export function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
