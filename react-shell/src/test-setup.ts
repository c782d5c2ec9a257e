import { readFile } from "node:fs/promises";
import { cleanup, configure } from "@testing-library/react";
import { redirect } from "react-router";
import { afterEach, beforeEach, vi } from "vitest";
import init from "./generated/wasm-core/wasm_core.js";
import initViews from "./generated/app/app.js";
import { session } from "./shared/session";

// The real rules, from the same package that the shop serves.
await init({ module_or_path: await readFile("src/generated/wasm-core/wasm_core_bg.wasm") });

// And the real views. Here the global object is not the Window, though it has all that a Window has; they look for one.
Object.defineProperty(Window, Symbol.hasInstance, { value: (thing: unknown) => thing === globalThis });
await initViews({ module_or_path: await readFile("src/generated/app/app_bg.wasm") });

// A page's code is loaded when it is first shown, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 8_000 });

// jsdom neither scrolls nor leaves its document: what would load a document is noted, or stays in the router.
window.scrollTo = () => undefined;
vi.mock(import("./shared/document-navigation"), () => ({
  redirectFrom: (_request: Request, to: string) => redirect(to),
  loadDocument: vi.fn<(path: string) => void>(),
  followLink: vi.fn<(url: string) => void>(),
}));

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(() => {
  cleanup();
  session.leave();
  vi.unstubAllGlobals();
});
