import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Product } from "../../../../shared/rules";
import type { PhotoList } from "./api";
import { errorResponse, LIGHT, offline, openShop, signIn, type MockResponses } from "../../../../test-shop";

const PHOTOS = "PATCH /api/products/p1/photos";
const EDIT = "PATCH /api/products/p1";

const photo = (id: string, alt: string) => ({ id, alt, width: 1200, height: 800, color: "#336699" });
const FRONT = photo("a".repeat(32), "Front");
const BACK = photo("b".repeat(32), "Back");
const WITH_PHOTOS: Product = { ...LIGHT, photos: [FRONT, BACK] };

/** Responses of the upload, one after the other. */
let responses: (() => { status: number; body: object })[];
let uploads: { path: string; file: File }[];

class MockUpload extends EventTarget {
  readonly upload = new EventTarget();
  status = 0;
  responseText = "";
  #path = "";

  open(_method: string, path: string) {
    this.#path = path;
  }

  setRequestHeader() {}

  abort() {}

  send(file: File) {
    uploads.push({ path: this.#path, file });
    const { status, body } = responses.shift()?.() ?? { status: 201, body: photo("c".repeat(32), "") };
    queueMicrotask(() => {
      this.status = status;
      this.responseText = JSON.stringify(body);
      this.dispatchEvent(new Event(status === 0 ? "error" : "load"));
    });
  }
}

beforeEach(() => {
  signIn("admin@nudgelight.example", ["Admin"]);
  responses = [];
  uploads = [];
  vi.stubGlobal("XMLHttpRequest", MockUpload);
});

afterEach(() => vi.unstubAllGlobals());

async function openEditor(mocks: MockResponses = {}, light = WITH_PHOTOS) {
  const page = openShop("/admin/products", {
    "GET /api/admin/products": { products: [light], page: 1, totalPages: 1, total: 1 },
    ...mocks,
  });
  await page.user.click(await screen.findByRole("button", { name: "Edit Nudgelight One" }));
  const dialog = within(screen.getByRole("dialog", { name: "Edit Nudgelight One" }));
  return { page, dialog };
}

const texts = () => screen.getAllByLabelText(/^Alternative text/).map((field) => (field as HTMLInputElement).value);
const file = (name: string, size = 10) => new File([new Uint8Array(size)], name, { type: "image/png" });

describe("the photos of a product", () => {
  test("are moved, described and removed, each over the version before", async () => {
    let saved = WITH_PHOTOS;
    const { page, dialog } = await openEditor({
      [PHOTOS]: () => {
        const list = page.sent(PHOTOS).at(-1)?.body as PhotoList;
        saved = { ...saved, photos: list.photos.map(({ id, alt = "" }) => photo(id, alt)), version: saved.version + 1 };
        return Response.json(saved);
      },
      [EDIT]: LIGHT,
    });
    expect(texts()).toEqual(["Front", "Back"]);
    await page.user.click(dialog.getByRole("button", { name: "Move Down photo 1" }));
    await waitFor(() => expect(texts()).toEqual(["Back", "Front"]));
    await page.user.type(dialog.getByLabelText(/^Alternative text of photo 2/), " view{Enter}");
    await waitFor(() => expect(saved.photos?.[1]?.alt).toBe("Front view"));
    await page.user.click(dialog.getByRole("button", { name: "Remove photo 1" }));
    await page.user.click(dialog.getByRole("button", { name: "Remove Photo" }));
    await waitFor(() => expect(texts()).toEqual(["Front view"]));
    expect(page.sent(PHOTOS).map(({ body }) => (body as { version: number }).version)).toEqual([1, 2, 3]);
    expect(document.activeElement?.textContent).toBe("Add Photos");
    await page.user.click(dialog.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(EDIT)[0]?.body).toMatchObject({ version: 4 }));
  });

  test("at the ends of the list go no further", async () => {
    const { page, dialog } = await openEditor();
    await page.user.click(dialog.getByRole("button", { name: "Move Up photo 1" }));
    await page.user.click(dialog.getByRole("button", { name: "Move Down photo 2" }));
    expect(page.sent(PHOTOS)).toHaveLength(0);
  });

  test("that someone else changed are shown as they are now, and the form doesn't save over the change", async () => {
    const current: Product = { ...WITH_PHOTOS, photos: [BACK], version: 7 };
    const conflict = { error: "This product was changed by someone else.", code: "EditConflict", details: { current } };
    const { page, dialog } = await openEditor({ [PHOTOS]: errorResponse(409, conflict), [EDIT]: LIGHT });
    await page.user.click(dialog.getByRole("button", { name: "Move Down photo 1" }));
    expect((await dialog.findByRole("alert")).textContent).toBe("This product was changed by someone else.");
    expect(texts()).toEqual(["Back"]);
    await page.user.click(dialog.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(EDIT)[0]?.body).toMatchObject({ version: 1 }));
  });

  test("stay as they were without the shop", async () => {
    const { page, dialog } = await openEditor({ [PHOTOS]: offline });
    await page.user.click(dialog.getByRole("button", { name: "Remove photo 2" }));
    await page.user.click(dialog.getByRole("button", { name: "Remove Photo" }));
    expect((await dialog.findByRole("alert")).textContent).toContain("The photos couldn’t be saved.");
    expect(texts()).toEqual(["Front", "Back"]);
  });
});

describe("new photos", () => {
  test("are uploaded one after the other and shown as the server has them", async () => {
    let version = 1;
    const { page, dialog } = await openEditor({
      "GET /api/products/p1": () => {
        version += 1;
        return Response.json({ ...WITH_PHOTOS, photos: [FRONT, BACK, photo(`${version}`, `New ${version}`)], version });
      },
    });
    await page.user.upload(dialog.getByTestId("add-photos"), [file("one.png"), file("two.png")]);
    await waitFor(() => expect(texts()).toEqual(["Front", "Back", "New 3"]));
    expect(uploads.map((sent) => sent.file.name)).toEqual(["one.png", "two.png"]);
    expect(uploads[0]?.path).toBe("/api/products/p1/photos");
    expect(screen.queryByRole("list", { name: "Uploads" })).toBeNull();
  });

  test("take the place of another one", async () => {
    const { page, dialog } = await openEditor({ "GET /api/products/p1": { ...WITH_PHOTOS, version: 2 } });
    const [, replaceBack] = dialog.getAllByTestId("replace-photo");
    if (replaceBack) await page.user.upload(replaceBack, file("new.png"));
    await waitFor(() => expect(uploads[0]?.path).toBe(`/api/products/p1/photos?replaces=${BACK.id}`));
  });

  test("that the server rejects say why beside their name, and the others go on", async () => {
    const message = "This image is animated. Upload a still image instead.";
    const rejected = { error: "Please correct the marked fields.", code: "InvalidRequest", fields: { photo: message } };
    responses = [() => ({ status: 400, body: rejected })];
    const { page, dialog } = await openEditor({ "GET /api/products/p1": { ...WITH_PHOTOS, version: 2 } });
    await page.user.upload(dialog.getByTestId("add-photos"), [file("moving.png"), file("still.png")]);
    const list = within(await dialog.findByRole("list", { name: "Uploads" }));
    expect((await list.findByRole("alert")).textContent).toBe(message);
    await waitFor(() => expect(uploads).toHaveLength(2));
    await waitFor(() => expect(list.getAllByRole("listitem")).toHaveLength(1));
    expect(list.queryByRole("button", { name: "Try Again" })).toBeNull();
    await page.user.click(list.getByRole("button", { name: "Dismiss moving.png" }));
    expect(dialog.queryByRole("list", { name: "Uploads" })).toBeNull();
  });

  test("that didn't arrive are tried again", async () => {
    responses = [() => ({ status: 0, body: {} })];
    const { page, dialog } = await openEditor({ "GET /api/products/p1": { ...WITH_PHOTOS, version: 2 } });
    await page.user.upload(dialog.getByTestId("add-photos"), file("one.png"));
    await page.user.click(await dialog.findByRole("button", { name: "Try Again" }));
    await waitFor(() => expect(uploads).toHaveLength(2));
    await waitFor(() => expect(dialog.queryByRole("list", { name: "Uploads" })).toBeNull());
  });

  test("that are too large aren't sent", async () => {
    const { page, dialog } = await openEditor();
    await page.user.upload(dialog.getByTestId("add-photos"), file("large.png", 15 * 1024 * 1024 + 1));
    expect((await dialog.findByRole("alert")).textContent).toContain("Photos are limited to 15 MB.");
    expect(uploads).toHaveLength(0);
  });
});
