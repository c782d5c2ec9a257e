import { waitFor } from "@testing-library/react";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { complaint, exampleCalls, wrongCalls } from "../../../wasm-core/tests/wrong-types.mjs";
import * as views from "../generated/app/app.js";
import * as lab from "../generated/lab/lab.js";
import * as estimates from "../generated/estimates/estimates.js";
import * as rules from "../generated/wasm-core/wasm_core.js";
import { CONFIG, LIGHT, ORDER, productList } from "../test-shop";

await lab.default({ module_or_path: await readFile("src/generated/lab/lab_bg.wasm") });

const host = () => document.createElement("div");
const nothing = () => undefined;
const navigation = { shopName: "Nudgelight", path: "/", products: [], cartCount: 0, account: "visitor" } as const;
const footer = { shopName: "Nudgelight", returnShipping: "customer", testMode: true, theme: "system" } as const;

const VIEWS = {
  mountNavigationBar: [host(), navigation, { logOut: nothing }],
  mountFooter: [host(), footer, { chooseTheme: nothing }],
  mountHomePage: [
    host(),
    {
      shopName: "Nudgelight",
      products: [LIGHT],
      line: "on 18:00-23:00",
      lamp: { daypart: "dusk", lamp: "on", level: "full", speed: "slow", meaning: "On.", problem: null, fix: null },
    },
    { chooseDaypart: nothing, changeLine: nothing, takeHome: nothing },
  ],
  mountTextPage: [
    host(),
    {
      text: "about",
      shopName: "Nudgelight",
      policy: null,
      firmware: null,
    },
  ],
  mountProductList: [host(), { list: productList([LIGHT]) }],
  mountProductPage: [
    host(),
    {
      product: LIGHT,
      related: [LIGHT],
      inCart: 1,
      shippingRates: CONFIG.shipping_rates,
      delivery: CONFIG.delivery,
      arrival: { us: "Nov 30", ca: "Dec 3", minutesLeft: 5 },
      returnDays: CONFIG.return_days,
      returnShipping: CONFIG.return_shipping,
      backInStock: { state: "idle", message: "" },
    },
    { addToCart: nothing, emailWhenBack: nothing },
  ],
  mountProductNotFound: [host()],
  mountUnlitLight: [host()],
  mountOrderReceipt: [
    host(),
    { order: ORDER, shopName: "Nudgelight", supportEmail: "support@nudgelight.example", publicUrl: "http://shop" },
  ],
};

const viewer = { zone: "America/New_York", motion: "reduced" } as const;
const clock = { now: () => 0n };

/** A UF2 file of one block, whose program has a version. */
function firmware(): Uint8Array {
  const file = new Uint8Array(512);
  const view = new DataView(file.buffer);
  const header = [0x0a324655, 0x9e5d5157, 0x2000, 0x10000000, 256, 0, 1, 0xe48bff56];
  for (const [index, word] of header.entries()) view.setUint32(index * 4, word, true);
  file.set(new TextEncoder().encode("nudgelight-firmware-version 0.1.0+3f2a9c1d "), 32);
  view.setUint32(508, 0x0ab16f30, true);
  return file;
}

const LAB = {
  mountLab: [
    host(),
    { fragment: "", line: null, saved: null, ...viewer },
    { ...clock, saveToLight: nothing, download: nothing, saveText: nothing, share: nothing },
  ],
  mountRecipe: [host(), { slug: "evening-glow", products: [LIGHT], ...viewer }, { ...clock, saveToLight: nothing }],
  mountRecipeWall: [host(), viewer, clock],
  heroLamp: [{ line: "on 18:00-23:00 40%", daypart: "dusk" }],
  fileForLight: ["on 18:00-23:00", { wifi: "", password: "", timezone: "UTC", timeServer: "" }],
  firmwareVersion: [firmware()],
  lampSignals: [],
  lightSettings: ["wifi = Home"],
  readReport: ["Nudgelight"],
  recipeName: ["evening-glow"],
};

const ESTIMATES = {
  estimateTax: ["US", "CA", 49.98, 6.2],
  estimatedArrival: [ORDER.order_date_local, "US", CONFIG.delivery],
  minutesToCutoff: [ORDER.order_date_local, CONFIG.delivery],
};

const PACKAGES = [
  ["wasm-core/wasm_core", rules, exampleCalls()],
  ["estimates/estimates", estimates, ESTIMATES],
  ["app/app", views, VIEWS],
  ["lab/lab", lab, LAB],
] as const;

describe.each(PACKAGES)("%s", (name, exported, examples) => {
  test("an argument of the wrong type is a TypeError that names the argument, in every exported function", async () => {
    const wrong = wrongCalls(await readFile(`src/generated/${name}.d.ts`, "utf8"), examples);
    expect(wrong.length).toBeGreaterThan(20);
    expect(wrong.map((call) => complaint(exported, call)).filter((said) => said !== undefined)).toEqual([]);
  });

  test("the examples are of the right types, also after all of the wrong calls", () => {
    for (const [call, input] of Object.entries(examples)) {
      const run = (exported as unknown as Record<string, (...input: unknown[]) => unknown>)[call];
      expect(() => run?.(...input)).not.toThrow();
    }
  });
});

test("a view that is shown other props of the wrong type throws a TypeError that names them, and goes on", async () => {
  const element = host();
  const bar = views.mountNavigationBar(element, { ...navigation, products: [] }, { logOut: nothing });
  const update = (props: unknown) => bar.update(props as Parameters<typeof bar.update>[0]);
  expect(() => update("props")).toThrow(new TypeError("props: expected an object"));
  expect(() => update({ ...navigation, products: [{ name: 7, slug: "one" }] })).toThrow(
    /^props\.products\[0\]\.name: expected a string$/,
  );
  update({ ...navigation, cartCount: 12 });
  await waitFor(() => expect(element.textContent).toContain("View Cart12 items"));
});
