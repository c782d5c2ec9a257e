import type { Schema } from "./api-types";

/** What the server says; a proxy's page says nothing of it. */
type ErrorBody = Partial<Schema<"Error">>;

/** The answer of a server that understood the call and said no. `message` is a sentence for a person. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** As it arrived: its `code` tells which `details` it has. */
  readonly body: ErrorBody;
  readonly fields: Record<string, string>;
  readonly requestId: string | undefined;

  constructor(status: number, body: ErrorBody) {
    super(body.error ?? "");
    this.name = "ApiError";
    this.status = status;
    this.code = body.code ?? "";
    this.body = body;
    this.fields = body.fields ?? {};
    this.requestId = body.request_id;
  }
}

/** No answer at all: offline, a broken connection, a page that is not ours. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super("The shop could not be reached.", { cause });
    this.name = "NoAnswer";
  }
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface CallOptions {
  body?: unknown;
  token?: string | undefined;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
}

/** One call, without anybody's name on it. */
export async function request<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  if (!response.ok) throw await refusalOf(response);
  return response.json().catch(brokenOff) as Promise<T>;
}

/** One call whose answer is a file. */
export async function requestFile(path: string, options: CallOptions = {}): Promise<Blob> {
  const response = await send("GET", path, options);
  if (!response.ok) throw await refusalOf(response);
  return response.blob().catch(brokenOff);
}

async function refusalOf(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => ({}));
  return new ApiError(response.status, body as ErrorBody);
}

function brokenOff(cause: unknown): never {
  throw new NoAnswer(cause);
}

async function send(method: Method, path: string, options: CallOptions): Promise<Response> {
  const headers = new Headers({ Accept: "application/json" });
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  if (options.token !== undefined) headers.set("Authorization", `Bearer ${options.token}`);
  const init: RequestInit = { method, headers };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal) init.signal = options.signal;
  if (options.keepalive) init.keepalive = true;
  try {
    return await fetch(path, init);
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new NoAnswer(error);
  }
}

/** The server's own sentence, or the page's when there is none. */
export function serverSentence(error: unknown, otherwise: string): string {
  return error instanceof ApiError && error.message !== "" ? error.message : otherwise;
}

/** What the server says is wrong in which input; empty when it is not about input. */
export function serverFields(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fields : {};
}

/** The sentence for goods that ran out; undefined when the error is another one. */
export function shortageSentence(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.body.code !== "InsufficientStockError" || !error.body.details)
    return undefined;
  const { product, available, requested } = error.body.details;
  return `Insufficient stock for ${product}. Available: ${available}, Requested: ${requested}`;
}
