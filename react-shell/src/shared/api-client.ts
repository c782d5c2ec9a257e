import type { Schema } from "./api-types";

/** The JSON error body. Every member may be missing, as in the error page of a proxy. */
type ErrorBody = Partial<Schema<"Error">>;

/** An error response. `message` is written for the customer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The body as received: its `code` discriminates the type of `details`. */
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

/** A request without a usable response: offline, a dropped connection, a body that is not JSON. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super("The shop couldn’t be reached.", { cause });
    this.name = "NetworkError";
  }
}

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface RequestOptions {
  body?: unknown;
  token?: string | undefined;
  signal?: AbortSignal | undefined;
  keepalive?: boolean;
}

/** Sends a JSON request. It carries an access token only if `options` has one. */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  if (!response.ok) throw await toApiError(response);
  return response.json().catch(throwNetworkError) as Promise<T>;
}

export interface NamedFile {
  content: Blob;
  name: string;
  headers: Headers;
}

/** Downloads a file, under the name that the server gave it. */
export async function requestFile(path: string, options: RequestOptions = {}): Promise<NamedFile> {
  const response = await send("GET", path, options);
  if (!response.ok) throw await toApiError(response);
  const content = await response.blob().catch(throwNetworkError);
  const [, name = ""] = /filename="([^"]*)"/.exec(response.headers.get("Content-Disposition") ?? "") ?? [];
  return { content, name, headers: response.headers };
}

async function toApiError(response: Response): Promise<ApiError> {
  const body = await response.json().catch(() => ({}));
  return new ApiError(response.status, body as ErrorBody);
}

function throwNetworkError(cause: unknown): never {
  throw new NetworkError(cause);
}

let isReachable = true;

/** Whether the last request got a response. */
export function isShopReachable(): boolean {
  return isReachable;
}

async function send(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const headers = new Headers({ Accept: "application/json" });
  if (options.body !== undefined) headers.set("Content-Type", "application/json");
  if (options.token !== undefined) headers.set("Authorization", `Bearer ${options.token}`);
  const init: RequestInit = { method, headers };
  if (options.body !== undefined) init.body = JSON.stringify(options.body);
  if (options.signal) init.signal = options.signal;
  if (options.keepalive) init.keepalive = true;
  try {
    const response = await fetch(path, init);
    isReachable = true;
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    isReachable = false;
    throw new NetworkError(error);
  }
}

/** The message of an error response, or `fallback` if it has none. */
export function serverMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== "" ? error.message : fallback;
}

/** Validation errors of an error response, by field; empty for any other error. */
export function serverFieldErrors(error: unknown): Record<string, string> {
  return error instanceof ApiError ? error.fields : {};
}

/** Details of an `InsufficientStockError`; undefined for any other error. */
export function insufficientStock(error: unknown) {
  if (!(error instanceof ApiError) || error.body.code !== "InsufficientStockError") return undefined;
  return error.body.details;
}

/** The message of an `InsufficientStockError`; undefined for any other error. */
export function insufficientStockMessage(error: unknown): string | undefined {
  const details = insufficientStock(error);
  if (!details) return undefined;
  const { product, available, requested } = details;
  return `Insufficient stock for ${product}. Available: ${available}, Requested: ${requested}`;
}
