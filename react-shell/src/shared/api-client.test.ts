import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiError, NetworkError, request, serverMessage, insufficientStockMessage } from "./api-client";
import { session } from "./session";
import { authorizedRequest } from "./auth-guard";

afterEach(() => {
  session.logOut();
  vi.unstubAllGlobals();
});

function mockResponses(...responses: (Response | Error)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const response = responses.shift();
    if (response === undefined || response instanceof Error) throw response ?? new Error("No mock response.");
    return response;
  });
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

function logIn(name: string) {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { sub: "ada", email: "ada@example.com", groups: [], iat: now, exp: now + 900 };
  return { accessToken: `h.${btoa(JSON.stringify(claims))}.signature-${name}`, refreshToken: `refresh-${name}` };
}

describe("a call", () => {
  test("sends JSON and gives the answer", async () => {
    const fetch = mockResponses(Response.json({ message: "ok" }));
    await expect(request("POST", "/api/x", { body: { a: 1 } })).resolves.toEqual({ message: "ok" });
    const [path, init] = fetch.mock.calls[0] ?? [];
    expect(path).toBe("/api/x");
    expect(init?.body).toBe('{"a":1}');
    expect(new Headers(init?.headers).get("Content-Type")).toBe("application/json");
    expect(new Headers(init?.headers).has("Authorization")).toBe(false);
  });

  test("gives nothing for 204", async () => {
    mockResponses(new Response(null, { status: 204 }));
    await expect(request("POST", "/api/x")).resolves.toBeUndefined();
  });

  test("throws what the server said was wrong", async () => {
    const body = { error: "No.", code: "InvalidRequest", fields: { email: "Wrong." }, request_id: "01J" };
    mockResponses(Response.json(body, { status: 400 }));
    const error = await request("GET", "/api/x").catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      status: 400,
      message: "No.",
      code: "InvalidRequest",
      fields: { email: "Wrong." },
      requestId: "01J",
    });
  });

  test("throws an error without a sentence when the answer is a proxy's page", async () => {
    mockResponses(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const error = await request("GET", "/api/x").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(serverMessage(error, "An error occurred.")).toBe("An error occurred.");
  });

  test("tells no answer from a refusal", async () => {
    mockResponses(new TypeError("Failed to fetch"));
    await expect(request("GET", "/api/x")).rejects.toBeInstanceOf(NetworkError);
  });
});

describe("a call of somebody who is logged in", () => {
  // spec: a bearer authorization header is sent
  test("carries the access token", async () => {
    const tokens = logIn("one");
    session.logIn(tokens);
    const fetch = mockResponses(Response.json({}));
    await authorizedRequest("GET", "/api/x");
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).get("Authorization")).toBe(`Bearer ${tokens.accessToken}`);
  });

  test.each(["TokenExpired", "Unauthenticated"])("is retried once with new tokens after a 401 %s", async (code) => {
    session.logIn(logIn("one"));
    const renewed = logIn("two");
    const expired = Response.json({ error: "Ended.", code }, { status: 401 });
    const fetch = mockResponses(expired, Response.json(renewed), Response.json({ ok: true }));
    await expect(authorizedRequest("GET", "/api/x")).resolves.toEqual({ ok: true });
    expect(new Headers(fetch.mock.calls[2]?.[1]?.headers).get("Authorization")).toBe(`Bearer ${renewed.accessToken}`);
  });

  test("ends the session when it was ended elsewhere: the refresh is refused as well", async () => {
    session.logIn(logIn("one"));
    const errors = ["Unauthenticated", "RefreshTokenInvalid"].map((code) =>
      Response.json({ error: "No.", code }, { status: 401 }),
    );
    const fetch = mockResponses(...errors);
    await expect(authorizedRequest("GET", "/api/x")).rejects.toThrow("No.");
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
  });

  test("keeps the session when the refresh gets no answer", async () => {
    session.logIn(logIn("one"));
    mockResponses(Response.json({ error: "No.", code: "Unauthenticated" }, { status: 401 }), new TypeError("offline"));
    await expect(authorizedRequest("GET", "/api/x")).rejects.toThrow("No.");
    expect(session.state().kind).toBe("signed-in");
  });

  test("is not retried for any other refusal", async () => {
    session.logIn(logIn("one"));
    const fetch = mockResponses(Response.json({ error: "No.", code: "Forbidden" }, { status: 403 }));
    await expect(authorizedRequest("GET", "/api/x")).rejects.toThrow("No.");
    expect(fetch).toHaveBeenCalledOnce();
  });
});

describe("items that ran out", () => {
  test("are told with their numbers", () => {
    const error = new ApiError(409, {
      code: "InsufficientStockError",
      details: { product: "Nudgelight One", available: 2, requested: 5 },
    });
    expect(insufficientStockMessage(error)).toBe("Insufficient stock for Nudgelight One. Available: 2, Requested: 5");
  });

  test("are nothing to speak of in any other error", () => {
    expect(insufficientStockMessage(new ApiError(409, { code: "IntentExpired" }))).toBeUndefined();
    expect(insufficientStockMessage(new TypeError("x"))).toBeUndefined();
  });
});
