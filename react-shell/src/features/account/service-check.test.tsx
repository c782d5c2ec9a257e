import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ServiceCheck } from "./service-check";

const onToken = vi.fn<(token: string | undefined) => void>();

type Action = "signup" | "login";

function show(kind: "recaptcha" | "turnstile", siteKey: string, action: Action = "login") {
  const check = (resetKey?: object) => (
    <ServiceCheck
      kind={kind}
      siteKey={siteKey}
      supportEmail="help@lamp.example"
      action={action}
      isStarted
      onToken={onToken}
      resetKey={resetKey}
    />
  );
  const view = render(check());
  return { ...view, spend: () => view.rerender(check({})) };
}

/** The script element added last. */
function script(): HTMLScriptElement {
  const found = [...document.head.querySelectorAll("script")].at(-1);
  if (!found) throw new Error("No script was added.");
  return found;
}

async function arrives(event: "load" | "error") {
  await act(async () => {
    script().dispatchEvent(new Event(event));
    await vi.advanceTimersByTimeAsync(0);
  });
}

function passTime(ms: number) {
  return act(() => vi.advanceTimersByTimeAsync(ms));
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  for (const element of document.head.querySelectorAll("script")) element.remove();
  delete globalThis.grecaptcha;
  delete globalThis.turnstile;
});

describe("reCAPTCHA", () => {
  const execute = vi.fn<(siteKey: string, options: { action: string }) => Promise<string>>();

  function isThere() {
    let made = 0;
    execute.mockImplementation(async (_siteKey, { action }) => `${action} ${++made}`);
    globalThis.grecaptcha = { ready: (then) => then(), execute };
  }

  // spec: a bot-check service issues tokens for the actions signup and login
  test("gives a token for the form's action, by a script from its own host", async () => {
    show("recaptcha", "key one", "signup");
    expect(script().src).toBe("https://www.google.com/recaptcha/api.js?render=key+one");
    expect(onToken).not.toHaveBeenCalled();
    isThere();
    await arrives("load");
    expect(execute).toHaveBeenCalledWith("key one", { action: "signup" });
    expect(onToken.mock.calls).toEqual([["signup 1"]]);
  });

  test("makes a new token when one was used, and before one grows too old for the server", async () => {
    const { spend } = show("recaptcha", "key-two");
    isThere();
    await arrives("load");
    spend();
    await passTime(0);
    expect(onToken).toHaveBeenLastCalledWith("login 2");
    await passTime(119_000);
    expect(onToken).toHaveBeenLastCalledWith("login 3");
    await passTime(100_000);
    expect(onToken).toHaveBeenLastCalledWith("login 4");
  });

  test("asks for no more tokens once its form is gone", async () => {
    const { unmount } = show("recaptcha", "key-three");
    isThere();
    await arrives("load");
    unmount();
    await passTime(300_000);
    expect(execute).toHaveBeenCalledTimes(1);
  });

  // spec: the bot check must be ready
  test("when blocked keeps a sign-up asleep and says what to do, and can be tried again", async () => {
    show("recaptcha", "key-four", "signup");
    await arrives("error");
    expect(screen.getByRole("alert").textContent).toContain("from www.google.com couldn’t be loaded");
    expect(screen.getByRole("link", { name: "Contact Us" }).getAttribute("href")).toBe("mailto:help@lamp.example");
    expect(onToken).toHaveBeenLastCalledWith(undefined);
    fireEvent.click(screen.getByRole("button", { name: "Try Again" }));
    expect(screen.queryByRole("alert")).toBeNull();
    isThere();
    await arrives("load");
    expect(onToken).toHaveBeenLastCalledWith("signup 1");
  });

  test("when blocked lets the server decide about a login", async () => {
    show("recaptcha", "key-five", "login");
    await arrives("error");
    expect(screen.getByRole("alert").textContent).toContain("you can log in without it");
    expect(onToken).toHaveBeenLastCalledWith("");
  });

  test("counts as blocked when nothing comes, or only its first half", async () => {
    const { unmount } = show("recaptcha", "key-six");
    await passTime(10_000);
    expect(screen.getByRole("alert")).toBeTruthy();
    unmount();
    show("recaptcha", "key-seven");
    globalThis.grecaptcha = { ready: () => undefined, execute };
    await arrives("load");
    expect(screen.queryByRole("alert")).toBeNull();
    await passTime(10_000);
    expect(screen.getByRole("alert")).toBeTruthy();
  });

  test("says so when it makes no token, and takes it back when one comes", async () => {
    const { spend } = show("recaptcha", "key-eight");
    isThere();
    execute.mockRejectedValueOnce(new Error("Invalid site key"));
    await arrives("load");
    expect(screen.getByRole("alert")).toBeTruthy();
    spend();
    await passTime(0);
    expect(screen.queryByRole("alert")).toBeNull();
    expect(onToken).toHaveBeenLastCalledWith("login 1");
  });
});

// The script loads once per document, so this is a single test.
describe("Turnstile", () => {
  test("passes on what its widget says, and is asked again when a token was used or expired", async () => {
    type Options = Parameters<NonNullable<typeof turnstile>["render"]>[1];
    const draw = vi.fn<(host: HTMLElement, options: Options) => string>();
    const reset = vi.fn<(widget: string) => void>();
    const remove = vi.fn<(widget: string) => void>();
    const { spend, unmount } = show("turnstile", "key", "signup");
    expect(script().src).toBe("https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit");
    draw.mockReturnValue("widget");
    globalThis.turnstile = { render: draw, reset, remove };
    await arrives("load");
    const options = draw.mock.calls[0]?.[1];
    if (!options) throw new Error("No widget was rendered.");
    expect(options).toMatchObject({ sitekey: "key", action: "signup" });
    expect(onToken).not.toHaveBeenCalled();

    act(() => options.callback("first"));
    expect(onToken).toHaveBeenLastCalledWith("first");
    spend();
    expect(reset).toHaveBeenCalledWith("widget");
    expect(onToken).toHaveBeenLastCalledWith(undefined);
    act(() => options.callback("second"));
    await passTime(119_000);
    expect(reset).toHaveBeenCalledTimes(2);
    act(() => options.callback("third"));
    act(() => options["expired-callback"]());
    expect(onToken).toHaveBeenLastCalledWith(undefined);

    act(() => expect(options["error-callback"]()).toBe(true));
    expect(screen.getByRole("alert").textContent).toContain("challenges.cloudflare.com");
    act(() => options.callback("fourth"));
    expect(screen.queryByRole("alert")).toBeNull();
    unmount();
    expect(remove).toHaveBeenCalledWith("widget");
  });
});
