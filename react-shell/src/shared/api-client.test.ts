import { afterEach, describe, expect, test, vi } from "vitest";
import { ApiError, NoAnswer, request, serverSentence, shortageSentence } from "./api-client";
import { session } from "./session";
import { requestSignedIn } from "./signed-in";

afterEach(() => {
  session.leave();
  vi.unstubAllGlobals();
});

function serverAnswers(...answers: (Response | Error)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const answer = answers.shift();
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error("one call too many");
    return answer;
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
    const fetch = serverAnswers(Response.json({ message: "ok" }));
    await expect(request("POST", "/api/x", { body: { a: 1 } })).resolves.toEqual({ message: "ok" });
    const [path, init] = fetch.mock.calls[0] ?? [];
    expect(path).toBe("/api/x");
    expect(init?.body).toBe('{"a":1}');
    expect(new Headers(init?.headers).get("Content-Type")).toBe("application/json");
    expect(new Headers(init?.headers).has("Authorization")).toBe(false);
  });

  test("gives nothing for 204", async () => {
    serverAnswers(new Response(null, { status: 204 }));
    await expect(request("POST", "/api/x")).resolves.toBeUndefined();
  });

  test("throws what the server said was wrong", async () => {
    const body = { error: "No.", code: "InvalidRequest", fields: { email: "Wrong." }, request_id: "01J" };
    serverAnswers(Response.json(body, { status: 400 }));
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
    serverAnswers(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const error = await request("GET", "/api/x").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(serverSentence(error, "An error occurred.")).toBe("An error occurred.");
  });

  test("tells no answer from a refusal", async () => {
    serverAnswers(new TypeError("Failed to fetch"));
    await expect(request("GET", "/api/x")).rejects.toBeInstanceOf(NoAnswer);
  });
});

describe("a call of somebody who is logged in", () => {
  // spec 103: a bearer authorization header is sent
  test("carries the access token", async () => {
    const tokens = logIn("one");
    session.begin(tokens);
    const fetch = serverAnswers(Response.json({}));
    await requestSignedIn("GET", "/api/x");
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).get("Authorization")).toBe(`Bearer ${tokens.accessToken}`);
  });

  test.each(["TokenExpired", "Unauthenticated"])("is retried once with new tokens after a 401 %s", async (code) => {
    session.begin(logIn("one"));
    const renewed = logIn("two");
    const ended = Response.json({ error: "Ended.", code }, { status: 401 });
    const fetch = serverAnswers(ended, Response.json(renewed), Response.json({ ok: true }));
    await expect(requestSignedIn("GET", "/api/x")).resolves.toEqual({ ok: true });
    expect(new Headers(fetch.mock.calls[2]?.[1]?.headers).get("Authorization")).toBe(`Bearer ${renewed.accessToken}`);
  });

  test("ends the session when it was ended elsewhere: the refresh is refused as well", async () => {
    session.begin(logIn("one"));
    const refusals = ["Unauthenticated", "RefreshTokenInvalid"].map((code) =>
      Response.json({ error: "No.", code }, { status: 401 }),
    );
    const fetch = serverAnswers(...refusals);
    await expect(requestSignedIn("GET", "/api/x")).rejects.toThrow("No.");
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
  });

  test("keeps the session when the refresh gets no answer", async () => {
    session.begin(logIn("one"));
    serverAnswers(Response.json({ error: "No.", code: "Unauthenticated" }, { status: 401 }), new TypeError("offline"));
    await expect(requestSignedIn("GET", "/api/x")).rejects.toThrow("No.");
    expect(session.state().kind).toBe("signed-in");
  });

  test("is not retried for any other refusal", async () => {
    session.begin(logIn("one"));
    const fetch = serverAnswers(Response.json({ error: "No.", code: "Forbidden" }, { status: 403 }));
    await expect(requestSignedIn("GET", "/api/x")).rejects.toThrow("No.");
    expect(fetch).toHaveBeenCalledOnce();
  });
});

describe("goods that ran out", () => {
  test("are told with their numbers", () => {
    const error = new ApiError(409, {
      code: "InsufficientStockError",
      details: { product: "Nudgelight One", available: 2, requested: 5 },
    });
    expect(shortageSentence(error)).toBe("Insufficient stock for Nudgelight One. Available: 2, Requested: 5");
  });

  test("are nothing to speak of in any other error", () => {
    expect(shortageSentence(new ApiError(409, { code: "IntentExpired" }))).toBeUndefined();
    expect(shortageSentence(new TypeError("x"))).toBeUndefined();
  });
});
