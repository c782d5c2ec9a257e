import { createServer } from "node:http";

/** @typedef {import("@playwright/test").BrowserContext} BrowserContext */

/** Token generation of both stub scripts. The stub verification service reads action and host from the token. */
const TOKENS = `
  let made = 0;
  const tokenFor = (action) => btoa(JSON.stringify(
    { action, hostname: location.hostname, made: new Date().toISOString(), number: ++made },
  ));
  const frame = (host, url) => {
    const element = document.createElement("iframe");
    element.src = url;
    element.title = "The check";
    element.style.cssText = "width: 304px; height: 78px; border: 0";
    host.append(element);
  };
`;

/** reCAPTCHA loads its second script from another host, and so does this stub. */
const RECAPTCHA_FIRST = `
  const waiting = [];
  globalThis.grecaptcha = { ready: (then) => waiting.push(then) };
  const second = document.createElement("script");
  second.src = "https://www.gstatic.com/recaptcha/releases/1/recaptcha__en.js";
  second.onload = () => {
    globalThis.grecaptcha.ready = (then) => then();
    for (const then of waiting) then();
  };
  document.head.append(second);
`;

const RECAPTCHA_SECOND = `{
  ${TOKENS}
  frame(document.body, "https://www.google.com/recaptcha/api2/anchor");
  globalThis.grecaptcha.execute = async (siteKey, { action }) => {
    await fetch("https://www.google.com/recaptcha/api2/clr", { method: "POST", body: siteKey });
    return tokenFor(action);
  };
}`;

const TURNSTILE = `{
  ${TOKENS}
  const widgets = [];
  const solve = (options) => setTimeout(() => options.callback(tokenFor(options.action)), 50);
  globalThis.turnstile = {
    render(host, options) {
      frame(host, "https://challenges.cloudflare.com/cdn-cgi/challenge-platform/turnstile");
      solve(options);
      return String(widgets.push(options) - 1);
    },
    reset: (widget) => solve(widgets[Number(widget)]),
    remove: () => undefined,
  };
}`;

/** @param {string} body */
function script(body) {
  return { contentType: "text/javascript", body };
}

/** Replaces the responses of both services' hosts by stub scripts. @param {BrowserContext} context */
export async function actAsServices(context) {
  const page = { contentType: "text/html", body: "<p>I am not a robot" };
  await context.route("https://www.google.com/recaptcha/api.js?**", (route) => route.fulfill(script(RECAPTCHA_FIRST)));
  await context.route("https://www.gstatic.com/**", (route) => route.fulfill(script(RECAPTCHA_SECOND)));
  await context.route("https://www.google.com/recaptcha/api2/**", (route) =>
    route.fulfill({ ...page, headers: { "access-control-allow-origin": "*" } }),
  );
  await context.route("https://challenges.cloudflare.com/**", (route) => route.fulfill(page));
  await context.route("https://challenges.cloudflare.com/turnstile/v0/api.js?**", (route) =>
    route.fulfill(script(TURNSTILE)),
  );
}

/** Stub verification service (siteverify). It accepts each token once, and can be switched off. */
export async function openSiteVerify() {
  const seen = new Set();
  const state = { isDown: false };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (state.isDown) {
      response.writeHead(500).end();
      return;
    }
    const token = new URLSearchParams(body).get("response") ?? "";
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(judge(token, seen)));
    seen.add(token);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The service has no port.");
  return { url: `http://127.0.0.1:${address.port}/siteverify`, state, close: () => server.close() };
}

/** @param {string} token @param {Set<string>} seen */
function judge(token, seen) {
  if (token === "") return { success: false, "error-codes": ["missing-input-response"] };
  if (seen.has(token)) return { success: false, "error-codes": ["timeout-or-duplicate"] };
  const { action, hostname, made } = JSON.parse(atob(token));
  return { success: true, "error-codes": [], challenge_ts: made, hostname, action, score: 0.9 };
}
