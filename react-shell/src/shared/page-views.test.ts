import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AnalyticsConfig } from "./env";

const THERE: AnalyticsConfig = { kind: "plausible", site: "shop.example", url: "https://stats.example" };
const HERE: AnalyticsConfig = { kind: "builtin", site: null, url: null };

/** As a document that was loaded for this path. */
async function visit(path: string) {
  window.history.replaceState(null, "", path);
  vi.resetModules();
  const { countPageView } = await import("./page-views");
  return countPageView;
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
    for (const path of ["/about", "/products/nudgelight-one", "/profile", "/nothing", "/contact"]) count(THERE, path);
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
    count(THERE, "/about");
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
      count(THERE, "/about");
      count(HERE, "/about");
      Reflect.deleteProperty(navigator, name);
      expect(scripts()).toHaveLength(0);
      expect(fetched).not.toHaveBeenCalled();
      count(HERE, "/about");
      expect(fetched).toHaveBeenCalledTimes(1);
    },
  );
});

test("public pages that load what others must not are other documents", async () => {
  vi.resetModules();
  const { needsDocument, separatePublicPages } = await import("./paths");
  expect(needsDocument("/about", "/profile")).toBe(false);
  separatePublicPages(true);
  expect(needsDocument("/about", "/profile")).toBe(true);
  expect(needsDocument("/profile", "/products/nudgelight-one")).toBe(true);
  expect(needsDocument("/about/", "/products/nudgelight-one?from=mail")).toBe(false);
  expect(needsDocument("/profile", "/order/1")).toBe(false);
  expect(needsDocument("/nothing", "/")).toBe(true);
});
