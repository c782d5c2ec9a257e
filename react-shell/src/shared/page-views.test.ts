import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AnalyticsConfig } from "./shop-config";

const PLAUSIBLE: AnalyticsConfig = { kind: "plausible", site: "shop.example", url: "https://stats.example" };
const BUILTIN: AnalyticsConfig = { kind: "builtin", site: null, url: null };

/** Simulates a document loaded at a path. */
async function visit(path: string) {
  window.history.replaceState(null, "", path);
  vi.resetModules();
  const { trackPageView } = await import("./page-views");
  return trackPageView;
}

function scripts() {
  return [...document.head.querySelectorAll("script")];
}

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockImplementation(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  for (const script of scripts()) script.remove();
  delete globalThis.plausible;
});

describe("a Plausible server", () => {
  test("is told of public pages alone, without their query, and its script is loaded once", async () => {
    const count = await visit("/about?email=ada@example.com");
    for (const path of ["/about", "/products/nudgelight-one", "/profile", "/nothing", "/contact"])
      count(PLAUSIBLE, path);
    expect(scripts().map((script) => [script.src, { ...script.dataset }])).toEqual([
      ["https://stats.example/js/script.manual.js", { domain: "shop.example", api: "https://stats.example/api/event" }],
    ]);
    const shop = window.location.origin;
    expect(globalThis.plausible?.q).toEqual([
      ["pageview", { u: `${shop}/about` }],
      ["pageview", { u: `${shop}/products/nudgelight-one` }],
      ["pageview", { u: `${shop}/contact` }],
    ]);
    expect(fetched).not.toHaveBeenCalled();
  });

  test("is not loaded into a document whose policy would refuse it", async () => {
    const count = await visit("/profile");
    count(PLAUSIBLE, "/about");
    expect(scripts()).toHaveLength(0);
  });
});

describe("nobody is counted", () => {
  test("where counting is off", async () => {
    const count = await visit("/about");
    count({ kind: "off", site: null, url: null }, "/about");
    expect(scripts()).toHaveLength(0);
    expect(fetched).not.toHaveBeenCalled();
  });

  test.each([["doNotTrack", "1"] as const, ["globalPrivacyControl", true] as const])(
    "who asks for it by %s",
    async (name, value) => {
      Object.defineProperty(navigator, name, { value, configurable: true });
      const count = await visit("/about");
      count(PLAUSIBLE, "/about");
      count(BUILTIN, "/about");
      Reflect.deleteProperty(navigator, name);
      expect(scripts()).toHaveLength(0);
      expect(fetched).not.toHaveBeenCalled();
      count(BUILTIN, "/about");
      expect(fetched).toHaveBeenCalledTimes(1);
    },
  );
});

test("public pages that load what others must not are other documents", async () => {
  vi.resetModules();
  const { needsDocumentNavigation, isolatePublicPages } = await import("./paths");
  expect(needsDocumentNavigation("/about", "/profile")).toBe(false);
  isolatePublicPages();
  expect(needsDocumentNavigation("/about", "/profile")).toBe(true);
  expect(needsDocumentNavigation("/profile", "/products/nudgelight-one")).toBe(true);
  expect(needsDocumentNavigation("/about/", "/products/nudgelight-one?from=mail")).toBe(false);
  expect(needsDocumentNavigation("/profile", "/order/1")).toBe(false);
  expect(needsDocumentNavigation("/nothing", "/")).toBe(true);
});
