import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Session, type Tokens } from "./session";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 21, 12);

let session: Session;
let made = 0;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  session = new Session();
});

afterEach(() => {
  session.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Tokens as the server issues them, valid for 15 minutes from `issuedAt` by the server's clock. */
function tokens(claims: { issuedAt?: number; groups?: string[] } = {}): Tokens {
  const iat = Math.floor((claims.issuedAt ?? Date.now()) / 1_000);
  made += 1;
  const payload = {
    sub: "ada",
    email: "ada@example.com",
    groups: claims.groups ?? [],
    iat,
    exp: iat + 15 * 60,
    jti: String(made),
  };
  return { accessToken: `h.${btoa(JSON.stringify(payload))}.sig-of-token-${made}`, refreshToken: `refresh-${made}` };
}

type MockResponse = () => Promise<Response> | Response;

function mockResponses(...responses: MockResponse[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const response = responses.length > 1 ? responses.shift() : responses[0];
    if (response === undefined) throw new Error("No mock response.");
    return response();
  });
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

const renews: MockResponse = () => Response.json(tokens());
const refuses: MockResponse = () => Response.json({ error: "no", code: "RefreshTokenInvalid" }, { status: 401 });
const isInTrouble: MockResponse = () => new Response("", { status: 503 });
const isUnreachable: MockResponse = () => {
  throw new TypeError("Failed to fetch");
};

describe("a session", () => {
  // spec: access token and refresh token (kept in browser storage)
  test("begins with the tokens of a login and lies in storage", () => {
    const given = tokens({ groups: ["Admin"] });
    session.logIn(given);
    expect(session.state()).toEqual({ kind: "signed-in", userId: "ada", email: "ada@example.com", isAdmin: true });
    expect(localStorage.getItem("accessToken")).toBe(given.accessToken);
    expect(localStorage.getItem("refreshToken")).toBe(given.refreshToken);
  });

  // spec: On start, stored tokens restore the session.
  test("is restored from storage at the start, without asking anybody", async () => {
    const fetch = mockResponses(renews);
    session.logIn(tokens());
    const later = new Session();
    await later.restore();
    expect(later.state().kind).toBe("signed-in");
    expect(fetch).not.toHaveBeenCalled();
    later.stop();
  });

  test("is nobody's when storage holds something else", async () => {
    localStorage.setItem("accessToken", "not a token");
    await session.restore();
    expect(session.state().kind).toBe("anonymous");
  });

  test("leaves nothing behind when somebody logs out, and says that it was by choice", () => {
    session.logIn(tokens());
    session.logOut();
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: false });
    expect(localStorage.length).toBe(0);
  });

  test("ends in every tab when another tab logs out", async () => {
    await session.restore();
    session.logIn(tokens());
    localStorage.clear();
    window.dispatchEvent(new StorageEvent("storage", { key: "accessToken" }));
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
  });
});

describe("the tokens are renewed", () => {
  // spec: a refresh is scheduled 60 s before the access token expires
  // spec: POST /api/auth/refresh-token | refreshToken
  // spec: Token refresh 60 s before expiry.
  test("60 s before the access token ends, not sooner", async () => {
    const fetch = mockResponses(renews);
    const first = tokens();
    session.logIn(first);
    await vi.advanceTimersByTimeAsync(14 * MINUTE - 1);
    expect(fetch).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledOnce();
    expect(fetch.mock.calls[0]?.[1]?.body).toBe(JSON.stringify({ refreshToken: first.refreshToken }));
    expect(session.accessToken()).not.toBe(first.accessToken);
  });

  test("again and again", async () => {
    const fetch = mockResponses(renews);
    session.logIn(tokens());
    await vi.advanceTimersByTimeAsync(3 * 14 * MINUTE);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(session.state().kind).toBe("signed-in");
  });

  test("by this device's clock, even when the server's is hours away", async () => {
    const fetch = mockResponses(renews);
    session.logIn(tokens({ issuedAt: NOW - 5 * 60 * MINUTE }));
    expect(session.state().kind).toBe("signed-in");
    await vi.advanceTimersByTimeAsync(14 * MINUTE - 1);
    expect(fetch).not.toHaveBeenCalled();
  });

  test("at the start, when they ended while nobody was here", async () => {
    mockResponses(renews);
    session.logIn(tokens());
    session.stop();
    vi.setSystemTime(NOW + 60 * MINUTE);
    const later = new Session();
    await later.restore();
    expect(later.state().kind).toBe("signed-in");
    later.stop();
  });

  test("once, however many ask at the same time", async () => {
    const fetch = mockResponses(renews);
    session.logIn(tokens());
    await Promise.all([session.refresh(), session.refresh(), session.refresh()]);
    expect(fetch).toHaveBeenCalledOnce();
  });

  test("by one tab: the other waits for the lock and takes what it finds", async () => {
    const fetch = mockResponses(renews);
    let turn: Promise<unknown> = Promise.resolve();
    const request = (_name: string, work: () => Promise<void>) => {
      turn = turn.then(work);
      return turn;
    };
    vi.stubGlobal("navigator", { locks: { request } });
    session.logIn(tokens());
    const otherTab = new Session();
    await otherTab.restore();
    void session.refresh();
    void otherTab.refresh();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetch).toHaveBeenCalledOnce();
    expect(otherTab.accessToken()).toBe(session.accessToken());
    otherTab.stop();
  });
});

describe("a renewal that does not work", () => {
  // spec: On refresh failure or an expired token, the user is logged out and the tokens removed.
  test("ends the session when the server says no", async () => {
    mockResponses(refuses);
    session.logIn(tokens());
    await session.refresh();
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
    expect(localStorage.getItem("refreshToken")).toBeNull();
  });

  test("does not end it when another tab has new tokens by then", async () => {
    const others = tokens();
    session.logIn(tokens());
    mockResponses(() => {
      localStorage.setItem("accessToken", others.accessToken);
      localStorage.setItem("refreshToken", others.refreshToken);
      return refuses();
    });
    await session.refresh();
    expect(session.accessToken()).toBe(others.accessToken);
  });

  test.each([
    ["without an response", isUnreachable],
    ["with a server in trouble", isInTrouble],
  ])("is tried again %s, and works at last", async (_case, fails) => {
    const fetch = mockResponses(fails, fails, renews);
    session.logIn(tokens());
    await vi.advanceTimersByTimeAsync(14 * MINUTE + 10_000);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(session.state().kind).toBe("signed-in");
  });

  test("is tried only until the access token has ended", async () => {
    const fetch = mockResponses(isUnreachable);
    session.logIn(tokens());
    await vi.advanceTimersByTimeAsync(15 * MINUTE - 1_000);
    expect(session.state().kind).toBe("signed-in");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
    const tries = fetch.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(fetch).toHaveBeenCalledTimes(tries);
  });
});
