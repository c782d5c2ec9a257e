import { readFile } from "node:fs/promises";
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach } from "vitest";
import init from "./generated/wasm-core/wasm_core.js";

// The real rules, from the same package that the shop serves.
await init({ module_or_path: await readFile("src/generated/wasm-core/wasm_core_bg.wasm") });

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

afterEach(cleanup);
