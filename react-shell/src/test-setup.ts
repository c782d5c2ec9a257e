import { readFile } from "node:fs/promises";
import { cleanup, configure } from "@testing-library/react";
import { redirect } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import init from "./generated/wasm-core/wasm_core.js";
import initEstimates from "./generated/estimates/estimates.js";
import initViews from "./generated/app/app.js";
import { session } from "./shared/session";

// The real rules, from the same WASM package that the shop serves.
await init({ module_or_path: await readFile("src/generated/wasm-core/wasm_core_bg.wasm") });

await initEstimates({ module_or_path: await readFile("src/generated/estimates/estimates_bg.wasm") });

// The real views. They require a `Window`; the global object of the tests is not an instance of it.
Object.defineProperty(Window, Symbol.hasInstance, { value: (thing: unknown) => thing === globalThis });
await initViews({ module_or_path: await readFile("src/generated/app/app_bg.wasm") });

// Route modules load lazily, which is slow on a busy machine.
configure({ asyncUtilTimeout: 8_000 });

// jsdom can neither scroll nor navigate. Current browsers return promises for scrolling, which the types do not say.
// Document navigations are mocked, or handled by the router.
window.scrollTo = scrolled;
Element.prototype.scrollIntoView = scrolled;
vi.mock(import("./shared/document-navigation"), () => ({
  redirectFrom: (_request: Request, to: string) => redirect(to),
  loadDocument: vi.fn<(path: string) => void>(),
  replaceDocument: vi.fn<(path: string) => void>(),
}));

function scrolled(): void {
  return Promise.resolve() as unknown as undefined;
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  cleanup();
  session.logOut();
  vi.unstubAllGlobals();
});
