import assert from "node:assert/strict";
import { violationsOf } from "./axe.mjs";
import { expectRejection, resize, test } from "./fixtures.mjs";
import { png } from "./png.mjs";
import { DEMO_PASSWORD } from "./shop.mjs";
import { logsIn, sees } from "./steps.mjs";

/** @typedef {import("@playwright/test").Page} Page */

const PRODUCT = "Nudgelight One";

/** A PNG of one color, as a file for an input. @param {string} name @param {[number, number, number]} color */
function photo(name, color, width = 900, height = 600) {
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  return { name, mimeType: "image/png", buffer: png(width, height, pixels) };
}

/** @param {Page} page */
async function opensEditor(page) {
  await page.goto("/admin/products");
  await page.getByRole("button", { name: `Edit ${PRODUCT}` }).click();
  return page.getByRole("dialog", { name: `Edit ${PRODUCT}` });
}

/** Alternative texts in the order of the photos. @param {Page} page */
async function alternativeTexts(page) {
  const response = await page.request.get("/api/products/nudgelight-one");
  return (await response.json()).photos.map((/** @type {{ alt: string }} */ { alt }) => alt);
}

test("photos are added, described, ordered, replaced and removed", async ({ newVisitor }) => {
  const { page, browserErrors } = await newVisitor();
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  const dialog = await opensEditor(page);
  const rows = dialog.getByRole("list", { name: "Photos in order" }).getByRole("listitem");
  const files = [photo("front.png", [200, 60, 40]), photo("side.png", [60, 160, 90]), photo("back.png", [50, 70, 180])];
  await dialog.getByTestId("add-photos").setInputFiles(files);
  await rows.nth(2).waitFor();
  await dialog.getByRole("button", { name: "Save Changes" }).waitFor();
  for (const [number, text] of /** @type {const} */ ([
    [1, "Front"],
    [2, "Side"],
    [3, "Back"],
  ])) {
    await dialog.getByLabel(`Alternative text of photo ${number}`).fill(text);
    await dialog.getByLabel(`Alternative text of photo ${number}`).press("Enter");
    await dialog.getByText("Alternative text saved.").waitFor({ state: "attached" });
    await page.waitForFunction(
      async ([at, alt]) => (await (await fetch("/api/products/nudgelight-one")).json()).photos[at - 1].alt === alt,
      /** @type {const} */ ([number, text]),
    );
  }

  // By keyboard: the button keeps the focus while its photo moves.
  const moveUpButton = (/** @type {number} */ number) =>
    dialog.getByRole("button", { name: `Move Up photo ${number}`, disabled: false });
  await moveUpButton(3).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("Photo 3 is now photo 2.").waitFor({ state: "attached" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Move Up photo 2");
  await moveUpButton(2).waitFor();
  await page.keyboard.press("Enter");
  await dialog.getByText("Photo 2 is now photo 1.").waitFor({ state: "attached" });
  assert.deepEqual(await alternativeTexts(page), ["Back", "Front", "Side"]);

  await dialog
    .getByTestId("replace-photo")
    .nth(1)
    .setInputFiles(photo("new.png", [230, 200, 60]));
  await page.waitForFunction(
    async () => (await (await fetch("/api/products/nudgelight-one")).json()).photos[1].color === "#e6c83c",
  );
  await dialog.getByRole("button", { name: "Remove photo 3" }).click();
  await dialog.getByRole("button", { name: "Remove Photo", exact: true }).click();
  await dialog.getByText("Photo removed.").waitFor({ state: "attached" });
  assert.deepEqual(await alternativeTexts(page), ["Back", "Front"]);

  // The form saves over the versions of its own photos.
  await dialog.getByLabel("Price (US dollars)").fill("26.50");
  await dialog.getByRole("button", { name: "Save Changes" }).click();
  await sees(page, `${PRODUCT} was saved.`);
  assert.deepEqual(browserErrors, []);
});

test("the administrator chooses between photo and drawing for the cards", async ({ newVisitor }) => {
  const { page, browserErrors } = await newVisitor();
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  const editor = await opensEditor(page);
  await editor.getByTestId("add-photos").setInputFiles([photo("card.png", [90, 140, 60])]);
  await editor.getByRole("list", { name: "Photos in order" }).getByRole("listitem").first().waitFor();
  await editor.getByRole("button", { name: "Save Changes" }).waitFor();
  const card = async () => {
    await page.goto("/products");
    const picture = page.getByRole("article").filter({ hasText: PRODUCT }).locator("img");
    return picture.evaluate((/** @type {HTMLImageElement} */ image) => new URL(image.currentSrc || image.src).pathname);
  };
  for (const [choice, path] of /** @type {const} */ ([
    ["Drawing", /^\/images\/nudgelight-one\.svg$/],
    ["First photo", /^\/images\/photos\//],
  ])) {
    const dialog = await opensEditor(page);
    await dialog.getByText("Drawing, specifications and codes").click();
    await dialog.getByLabel("Picture on cards").selectOption(choice);
    await dialog.getByRole("button", { name: "Save Changes" }).click();
    await sees(page, `${PRODUCT} was saved.`);
    assert.match(await card(), path);
  }
  assert.deepEqual(browserErrors, []);
});

test("a file that is no photo is refused beside its name, and the others are added", async ({ newVisitor }) => {
  const { page, browserErrors } = await newVisitor();
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  const dialog = await opensEditor(page);
  const before = (await alternativeTexts(page)).length;
  const drawing = { name: "drawing.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") };
  const large = { name: "large.png", mimeType: "image/png", buffer: Buffer.alloc(15 * 1024 * 1024 + 1) };
  await dialog.getByTestId("add-photos").setInputFiles([drawing, large, photo("good.png", [10, 120, 130])]);
  const uploads = dialog.getByRole("list", { name: "Uploads" }).getByRole("listitem");
  await uploads.filter({ hasText: "drawing.svg" }).getByText("This file isn’t a JPEG, PNG or WebP image.").waitFor();
  await uploads.filter({ hasText: "large.png" }).getByText("Photos are limited to 15 MB.").waitFor();
  await dialog.getByRole("button", { name: "Save Changes" }).waitFor();
  assert.equal((await alternativeTexts(page)).length, before + 1);
  await dialog.getByRole("button", { name: "Dismiss drawing.svg" }).click();
  assert.equal(await uploads.count(), 1);
  expectRejection(browserErrors, 400, "/photos");
  assert.deepEqual(browserErrors, []);
});

test("photos are added by drag and drop, and the editor works on phones and in both themes", async ({ newVisitor }) => {
  const { page } = await newVisitor();
  await logsIn(page, "admin@nudgelight.example", DEMO_PASSWORD);
  const dialog = await opensEditor(page);
  const { buffer } = photo("dropped.png", [120, 40, 140]);
  const transfer = await page.evaluateHandle(
    (bytes) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(bytes)], "dropped.png", { type: "image/png" }));
      return data;
    },
    [...buffer],
  );
  const before = (await alternativeTexts(page)).length;
  await dialog.getByTestId("drop-zone").dispatchEvent("drop", { dataTransfer: transfer });
  await dialog.getByRole("button", { name: `Remove photo ${before + 1}` }).waitFor();
  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const width of [360, 1440]) {
      await resize(page, width);
      assert.deepEqual(await violationsOf(page), [], `${colorScheme}, ${width}`);
      const [inside, outside] = await dialog.evaluate((element) => [element.scrollWidth, element.clientWidth]);
      assert.ok((inside ?? 0) <= (outside ?? 0), `the editor scrolls sideways at ${width}`);
    }
  }
});
