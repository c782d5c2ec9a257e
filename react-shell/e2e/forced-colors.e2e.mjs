// Forced colors (Windows contrast themes) remove backgrounds and shadows. What they said is said in another way.
import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { buysFor } from "./orders.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { logsIn } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */
/** @typedef {import("@playwright/test").Locator} Locator */

/** @param {Page} page @param {string} path */
async function opens(page, path) {
  await page.goto(path);
  await page.locator("#root").waitFor({ state: "detached" });
  await page.locator("h1").waitFor();
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: test.info().outputPath(`${path.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
}

/** What distinguishes an element that is selected from one that is not. @param {Locator} element */
const look = (element) =>
  element.evaluate((it) => {
    const { color, backgroundColor, borderTopColor, borderBottomColor, textDecorationLine } = getComputedStyle(it);
    return [color, backgroundColor, borderTopColor, borderBottomColor, textDecorationLine].join();
  });

/** @param {Page} page @param {string} selected @param {string} other */
async function differs(page, selected, other) {
  const [one, another] = [page.locator(selected).first(), page.locator(other).first()];
  assert.notEqual(await look(one), await look(another), `${selected} looks like ${other} on ${page.url()}`);
}

/** Buttons without a border. @param {Page} page */
const bareButtons = (page) =>
  page
    .locator("main :is(.button-primary, .button-secondary, button.rounded-field, a.rounded-field):not(nav *)")
    .evaluateAll((buttons) =>
      buttons
        .filter((button) => button.checkVisibility() && parseFloat(getComputedStyle(button).borderTopWidth) === 0)
        .map((button) => button.outerHTML),
    );

test.describe("in forced colors", () => {
  test("every button has a box, and the selected theme and picture differ from the others", async ({ newVisitor }) => {
    const { page } = await newVisitor({ forcedColors: "active" });
    for (const path of ["/", "/products", "/products/nudgelight-one", "/login", "/tutorial#lab"]) {
      await opens(page, path);
      assert.deepEqual(await bareButtons(page), [], path);
      await differs(page, "footer [aria-pressed=true]", "footer [aria-pressed=false]");
    }
    await opens(page, "/products/nudgelight-one");
    await differs(page, "main [aria-pressed=true]", "main [aria-pressed=false]");
  });

  test("tabs, pages and sections show which one is open, and badges have an edge", async ({ newVisitor }) => {
    const customer = await newVisitor({ forcedColors: "active" });
    await logsIn(customer.page, "customer@nudgelight.example", DEMO_PASSWORD);
    const names = Array.from({ length: 11 }, (_, index) => `Fay ${index}`);
    const [order] = await buysFor(customer.page, "Nudgelight One", names);
    await opens(customer.page, "/profile/orders");
    await differs(customer.page, "nav[aria-label=Account] [aria-current=page]", "nav[aria-label=Account] a");
    await differs(
      customer.page,
      "nav[aria-label=Pages] [aria-current=page]",
      "nav[aria-label=Pages] a:not([aria-current])",
    );
    const { page } = await newVisitor({ forcedColors: "active" });
    await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
    for (const path of ["/admin/overview", "/admin/orders", "/admin/products", `/admin/order/${order}`]) {
      await opens(page, path);
      await differs(
        page,
        "nav[aria-label=Admin] [aria-current]:not([aria-current=false])",
        "nav[aria-label=Admin] [aria-current=false]",
      );
      assert.deepEqual(await bareButtons(page), [], path);
    }
    await opens(page, "/admin/orders");
    const edge = await page
      .getByRole("cell", { name: "Pending" })
      .first()
      .getByText("Pending", { exact: true })
      .evaluate((badge) => {
        const { borderTopWidth, borderTopStyle } = getComputedStyle(badge);
        return `${borderTopWidth} ${borderTopStyle}`;
      });
    assert.equal(edge, "1px solid");
  });

  test("the Schedule Lab's timeline and lamp show when the light is on", async ({ newVisitor }) => {
    const { page } = await newVisitor({ forcedColors: "active", reducedMotion: "reduce" });
    await opens(page, "/tutorial#lab");
    await page
      .getByLabel("Your schedule")
      .fill("timezone = UTC\non 00:00-12:00\nblink every 30m 13:00-20:00 for 10m\n");
    await differs(
      page,
      "[role=group][aria-label=Zoom] [aria-pressed=true]",
      "[role=group][aria-label=Zoom] [aria-pressed=false]",
    );
    const fills = await page
      .locator("[data-testid=lab-lit], [data-testid=lab-blinking]")
      .evaluateAll((bars) => [
        ...bars.map((bar) => getComputedStyle(bar).fill),
        getComputedStyle(document.body).backgroundColor,
      ]);
    assert.equal(new Set(fills).size, 3, `lit, blinking and the background: ${fills.join(", ")}`);
    const moment = page.getByRole("slider", { name: "Moment" });
    const lamp = page.locator(".lab-lamp");
    await moment.press("Home");
    await page.getByTestId("lab-state").getByText("On").waitFor();
    const lit = await lamp.screenshot({ path: test.info().outputPath("lit.png") });
    await page.getByLabel("Your schedule").fill("timezone = UTC\n");
    await page.getByTestId("lab-state").getByText("Off").waitFor();
    const dark = await lamp.screenshot({ path: test.info().outputPath("dark.png") });
    assert.notDeepEqual(lit, dark);
    await page.screenshot({ path: test.info().outputPath("lab.png"), fullPage: true });
  });
});
