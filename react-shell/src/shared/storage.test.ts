import { afterEach, describe, expect, test, vi } from "vitest";
import { localStore, sessionStore } from "./storage";

const KEY = "storage-test";

/** Blocks storage as a browser does for blocked site data: the property itself throws. */
function blockStorage() {
  for (const name of ["localStorage", "sessionStorage"] as const)
    vi.spyOn(window, name, "get").mockImplementation(() => {
      throw new DOMException("Access is denied for this document.", "SecurityError");
    });
}

function fillStorage() {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  });
}

describe.each([
  ["localStore", localStore],
  ["sessionStore", sessionStore],
])("%s", (_name, store) => {
  afterEach(() => {
    vi.restoreAllMocks();
    store.removeItem(KEY);
  });

  test("stores values in the browser", () => {
    store.setItem(KEY, "one");
    expect(store.getItem(KEY)).toBe("one");
    expect(store.keys()).toContain(KEY);
    expect(store.isInMemory(KEY)).toBe(false);
    expect(store.isAvailable()).toBe(true);
    expect(localStorage.getItem(KEY) ?? sessionStorage.getItem(KEY)).toBe("one");
    store.removeItem(KEY);
    expect(store.getItem(KEY)).toBeNull();
    expect(localStorage.getItem(KEY) ?? sessionStorage.getItem(KEY)).toBeNull();
  });

  test.each([
    ["blocked", blockStorage],
    ["full", fillStorage],
  ])("keeps values in memory while storage is %s", (_state, setUp) => {
    setUp();
    expect(store.getItem(KEY)).toBeNull();
    store.setItem(KEY, "one");
    expect(store.getItem(KEY)).toBe("one");
    expect(store.keys()).toContain(KEY);
    expect(store.isInMemory(KEY)).toBe(true);
    expect(store.isAvailable()).toBe(false);
    store.removeItem(KEY);
    expect(store.getItem(KEY)).toBeNull();
    expect(store.isInMemory(KEY)).toBe(false);
  });

  test("removes the outdated stored value when the new one does not fit, and stores again when it can", () => {
    store.setItem(KEY, "outdated");
    fillStorage();
    store.setItem(KEY, "one");
    vi.restoreAllMocks();
    expect(localStorage.getItem(KEY) ?? sessionStorage.getItem(KEY)).toBeNull();
    expect(store.getItem(KEY)).toBe("one");
    store.setItem(KEY, "two");
    expect(store.isInMemory(KEY)).toBe(false);
    expect(store.getItem(KEY)).toBe("two");
  });
});
