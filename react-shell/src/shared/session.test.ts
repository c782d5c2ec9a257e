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

/** Tokens as the server gives them: good for 15 minutes from `issuedAt` on the server's clock. */
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

type Answer = () => Promise<Response> | Response;

function serverAnswers(...answers: Answer[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer === undefined) throw new Error("nothing is answered here");
    return answer();
  });
  vi.stubGlobal("fetch", fetch);
  return fetch;
}

const renews: Answer = () => Response.json(tokens());
const refuses: Answer = () => Response.json({ error: "no", code: "RefreshTokenInvalid" }, { status: 401 });
const isInTrouble: Answer = () => new Response("", { status: 503 });
const isUnreachable: Answer = () => {
  throw new TypeError("Failed to fetch");
};

describe("a session", () => {
  // spec 66: access token and refresh token (kept in browser storage)
  test("begins with the tokens of a log-in and lies in storage", () => {
    const given = tokens({ groups: ["Admin"] });
    session.begin(given);
    expect(session.state()).toEqual({ kind: "signed-in", userId: "ada", email: "ada@example.com", isAdmin: true });
    expect(localStorage.getItem("accessToken")).toBe(given.accessToken);
    expect(localStorage.getItem("refreshToken")).toBe(given.refreshToken);
  });

  // spec 76: On start, stored tokens restore the session.
  test("is restored from storage at the start, without asking anybody", async () => {
    const fetch = serverAnswers(renews);
    session.begin(tokens());
    const later = new Session();
    await later.start();
    expect(later.state().kind).toBe("signed-in");
    expect(fetch).not.toHaveBeenCalled();
    later.stop();
  });

  test("is nobody's when storage holds something else", async () => {
    localStorage.setItem("accessToken", "not a token");
    await session.start();
    expect(session.state().kind).toBe("anonymous");
  });

  test("leaves nothing behind when somebody logs out, and says that it was by choice", () => {
    session.begin(tokens());
    session.leave();
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: false });
    expect(localStorage.length).toBe(0);
  });

  test("ends in every tab when another tab logs out", async () => {
    await session.start();
    session.begin(tokens());
    localStorage.clear();
    window.dispatchEvent(new StorageEvent("storage", { key: "accessToken" }));
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
  });
});

describe("the tokens are renewed", () => {
  // spec 76: a refresh is scheduled 60 s before the access token expires
  // spec 109: refreshToken
  // spec 153: Token refresh 60 s before expiry.
  test("60 s before the access token ends, not sooner", async () => {
    const fetch = serverAnswers(renews);
    const first = tokens();
    session.begin(first);
    await vi.advanceTimersByTimeAsync(14 * MINUTE - 1);
    expect(fetch).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledOnce();
    expect(fetch.mock.calls[0]?.[1]?.body).toBe(JSON.stringify({ refreshToken: first.refreshToken }));
    expect(session.accessToken()).not.toBe(first.accessToken);
  });

  test("again and again", async () => {
    const fetch = serverAnswers(renews);
    session.begin(tokens());
    await vi.advanceTimersByTimeAsync(3 * 14 * MINUTE);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(session.state().kind).toBe("signed-in");
  });

  test("by this device's clock, also when the server's is hours away", async () => {
    const fetch = serverAnswers(renews);
    session.begin(tokens({ issuedAt: NOW - 5 * 60 * MINUTE }));
    expect(session.state().kind).toBe("signed-in");
    await vi.advanceTimersByTimeAsync(14 * MINUTE - 1);
    expect(fetch).not.toHaveBeenCalled();
  });

  test("at the start, when they ended while nobody was here", async () => {
    serverAnswers(renews);
    session.begin(tokens());
    session.stop();
    vi.setSystemTime(NOW + 60 * MINUTE);
    const later = new Session();
    await later.start();
    expect(later.state().kind).toBe("signed-in");
    later.stop();
  });

  test("once, however many ask at the same time", async () => {
    const fetch = serverAnswers(renews);
    session.begin(tokens());
    await Promise.all([session.refresh(), session.refresh(), session.refresh()]);
    expect(fetch).toHaveBeenCalledOnce();
  });

  test("by one tab: the other waits for the lock and takes what it finds", async () => {
    const fetch = serverAnswers(renews);
    let turn: Promise<unknown> = Promise.resolve();
    const request = (_name: string, work: () => Promise<void>) => {
      turn = turn.then(work);
      return turn;
    };
    vi.stubGlobal("navigator", { locks: { request } });
    session.begin(tokens());
    const otherTab = new Session();
    await otherTab.start();
    void session.refresh();
    void otherTab.refresh();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fetch).toHaveBeenCalledOnce();
    expect(otherTab.accessToken()).toBe(session.accessToken());
    otherTab.stop();
  });
});

describe("a renewal that does not work", () => {
  // spec 76: On refresh failure or an expired token, the user is logged out and the tokens removed.
  test("ends the session when the server says no", async () => {
    serverAnswers(refuses);
    session.begin(tokens());
    await session.refresh();
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
    expect(localStorage.getItem("refreshToken")).toBeNull();
  });

  test("does not end it when another tab has new tokens by then", async () => {
    const others = tokens();
    session.begin(tokens());
    serverAnswers(() => {
      localStorage.setItem("accessToken", others.accessToken);
      localStorage.setItem("refreshToken", others.refreshToken);
      return refuses();
    });
    await session.refresh();
    expect(session.accessToken()).toBe(others.accessToken);
  });

  test.each([
    ["without an answer", isUnreachable],
    ["with a server in trouble", isInTrouble],
  ])("is tried again %s, and works at last", async (_case, fails) => {
    const fetch = serverAnswers(fails, fails, renews);
    session.begin(tokens());
    await vi.advanceTimersByTimeAsync(14 * MINUTE + 10_000);
    expect(fetch).toHaveBeenCalledTimes(3);
    expect(session.state().kind).toBe("signed-in");
  });

  test("is tried only until the access token has ended", async () => {
    const fetch = serverAnswers(isUnreachable);
    session.begin(tokens());
    await vi.advanceTimersByTimeAsync(15 * MINUTE - 1_000);
    expect(session.state().kind).toBe("signed-in");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(session.state()).toEqual({ kind: "anonymous", wasEnded: true });
    const tries = fetch.mock.calls.length;
    await vi.advanceTimersByTimeAsync(10 * MINUTE);
    expect(fetch).toHaveBeenCalledTimes(tries);
  });
});
