import type { components } from "./openapi.js";

type ErrorBody = components["schemas"]["Error"];
type DetailsByCode = {
  [Body in ErrorBody as "details" extends keyof Body ? Body["code"] : never]: Body["details" & keyof Body];
};

/**
 * The shop's error codes, and two for failures without an error response of the shop: `NetworkError` (no response) and
 * `InvalidResponse` (a response that isn't the shop's, for example a proxy's error page).
 */
export type ErrorCode = components["schemas"]["ErrorCode"] | "NetworkError" | "InvalidResponse";

/** The type of `details` for a code; `undefined` for codes without details. */
export type ErrorDetails<Code extends ErrorCode> = Code extends keyof DetailsByCode ? DetailsByCode[Code] : undefined;

interface Reply {
  status: number;
  body: Partial<ErrorBody>;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/**
 * A failed request. `message` is written for people, `code` for programs.
 *
 * @example
 * try {
 *   await shop.post("/api/payments/create-intent", { body });
 * } catch (error) {
 *   if (!(error instanceof ShopError)) throw error;
 *   if (error.is("InsufficientStockError")) console.log(`${error.details.available} left`);
 *   else console.log(error.message, error.fields);
 * }
 */
export class ShopError extends Error {
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Messages to display, by the path of the invalid field, such as `shippingAddress.address.postal_code`. */
  readonly fields: Readonly<Record<string, string>>;
  /** What the code promises besides the message; `is` narrows its type. */
  readonly details: ErrorDetails<ErrorCode>;
  /** The request's ID in the shop's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before another attempt. */
  readonly retryAfter: number | undefined;

  /** @internal */
  constructor({ status, body, retryAfter, cause }: Reply) {
    super(body.error ?? `The response (status ${status}) isn’t the shop’s.`, { cause });
    this.name = "ShopError";
    this.status = status;
    this.code = body.code ?? "InvalidResponse";
    this.fields = body.fields ?? {};
    this.details = "details" in body ? body.details : undefined;
    this.requestId = body.request_id;
    this.retryAfter = retryAfter;
  }

  /** Whether this is the error with the code. Narrows the type of `details`. */
  is<Code extends ErrorCode>(code: Code): this is { code: Code; details: ErrorDetails<Code> } {
    return this.code === code;
  }
}

/** The error of a request without a response. */
export function networkError(cause: unknown): ShopError {
  const body = { code: "NetworkError", error: "The shop couldn’t be reached." };
  return new ShopError({ status: 0, body: body as Partial<ErrorBody>, cause });
}

/** The error of a response that can't be read. */
export function invalidResponse(status: number, cause: unknown): ShopError {
  return new ShopError({ status, body: {}, cause });
}

/** The error of an error response. Another server's response has no body of the shop. */
export async function responseError(response: Response, retryAfter: number | undefined): Promise<ShopError> {
  const body: unknown = await response.json().catch(() => undefined);
  const isOurs = typeof body === "object" && body !== null && "code" in body && "error" in body;
  return new ShopError({ status: response.status, body: isOurs ? (body as ErrorBody) : {}, retryAfter });
}
