import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { errorResponse, openShop, signIn, type MockResponses } from "../../../test-shop";
import type { PolicyText, SettingChanges } from "./api";

const SAVE = "PATCH /api/admin/settings";
const PREVIEW = "POST /api/admin/policy-preview";
const TEXT: PolicyText = { version: 4, markdown: "Our own terms.", standard: "The standard terms.\n" };
const ENTRY = { name: "terms", before: null, actor: "admin@nudgelight.example" };
const HISTORY: SettingChanges = {
  changes: [
    {
      ...ENTRY,
      version: 4,
      value: "Our own terms.",
      created_at: "2026-11-22T12:00:00Z",
      created_at_local: "2026-11-22T12:00:00Z",
    },
    { ...ENTRY, version: 3, value: null, created_at: "2026-11-21T12:00:00Z", created_at_local: "2026-11-21T12:00:00Z" },
    {
      ...ENTRY,
      version: 2,
      value: "Older terms.",
      created_at: "2026-11-20T12:00:00Z",
      created_at_local: "2026-11-20T12:00:00Z",
    },
  ],
  page: 1,
  totalPages: 1,
};

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

async function openEditor(responses: MockResponses = {}) {
  const page = openShop("/admin/settings/terms", {
    "GET /api/admin/policies/terms": TEXT,
    "GET /api/admin/settings/history": HISTORY,
    [SAVE]: { version: 5 },
    ...responses,
  });
  const text = await screen.findByLabelText(/Text \(Markdown\)/);
  return { page, text };
}

describe("the editor of a policy", () => {
  test("saves the text with the version that was opened", async () => {
    const { page, text } = await openEditor();
    expect(page.requests.some(({ key }) => key.endsWith("history?name=terms&page=1"))).toBe(true);
    await page.user.type(text, " And more.");
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect((await screen.findByRole("status")).textContent).toMatch(/^Saved/);
    expect(page.sent(SAVE)[0]?.body).toEqual({ terms: "Our own terms. And more.", version: 4 });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE)[1]?.body).toMatchObject({ version: 5 }));
  });

  test("shows the server's preview of what is typed, and nothing before", async () => {
    const { page, text } = await openEditor({ [PREVIEW]: { html: "<p>Shown <strong>so</strong></p>" } });
    await page.user.clear(text);
    await page.user.type(text, "Shown **so**");
    expect(screen.queryByRole("region", { name: "Preview" })).toBeNull();
    await page.user.click(screen.getByRole("button", { name: "Show Preview" }));
    const preview = await screen.findByRole("region", { name: "Preview" });
    expect(preview.innerHTML).toBe("<p>Shown <strong>so</strong></p>");
    expect(page.sent(PREVIEW)[0]?.body).toEqual({ markdown: "Shown **so**" });
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Preview" })));
  });

  test("restores an older text, and the standard text as none", async () => {
    const { page, text } = await openEditor();
    const restore = async (summary: RegExp) => {
      await page.user.click(screen.getByText(summary));
      const row = screen.getAllByRole("listitem").find((item) => summary.test(item.textContent ?? ""));
      await page.user.click(within(row ?? document.body).getByRole("button", { name: "Restore" }));
    };
    await restore(/11\/20\/2026/);
    expect(text).toHaveProperty("value", "Older terms.");
    await waitFor(() => expect(document.activeElement).toBe(text));
    await restore(/11\/21\/2026/);
    expect(text).toHaveProperty("value", TEXT.standard);
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE)).toHaveLength(1));
    expect(page.sent(SAVE)[0]?.body).toEqual({ terms: "", version: 4 });
  });

  test("keeps the text when someone else has saved another one", async () => {
    const current = { version: 9, settings: {}, locked: {} };
    const conflict = errorResponse(409, { error: "Changed.", code: "EditConflict", details: { current } });
    const { page, text } = await openEditor({ [SAVE]: conflict });
    await page.user.type(text, " Mine.");
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect((await screen.findByRole("alert")).textContent).toMatch(/changed by someone else/);
    expect(text).toHaveProperty("value", "Our own terms. Mine.");
    page.responses[SAVE] = { version: 10 };
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    await waitFor(() => expect(page.sent(SAVE)[1]?.body).toEqual({ terms: "Our own terms. Mine.", version: 9 }));
  });

  test("marks a text that the server rejects", async () => {
    const fields = { terms: "Enter at most 20000 characters." };
    const { page, text } = await openEditor({
      [SAVE]: errorResponse(400, { error: "Please correct the marked fields.", code: "InvalidRequest", fields }),
    });
    await page.user.click(screen.getByRole("button", { name: "Save Changes" }));
    expect(await screen.findByText(fields.terms)).toBeTruthy();
    expect(text.getAttribute("aria-invalid")).toBe("true");
  });

  test("of an unknown policy leads to the settings", async () => {
    const { router } = openShop("/admin/settings/nothing");
    await waitFor(() => expect(router.state.location.pathname).toBe("/admin/settings"));
  });
});

describe("a policy's page", () => {
  test("shows the server's text under its title", async () => {
    openShop("/terms", { "GET /api/policies/terms": { html: "<p>Our <em>own</em> terms.</p>" } });
    expect(await screen.findByRole("heading", { level: 1, name: "Terms" })).toBeTruthy();
    await waitFor(() =>
      expect(document.querySelector(".policy")?.innerHTML).toContain("<p>Our <em>own</em> terms.</p>"),
    );
    expect(document.title).toBe("Terms · Nudgelight");
  });

  test("that can't be loaded says so", async () => {
    openShop("/privacy", { "GET /api/policies/privacy": errorResponse(503, { error: "Busy.", code: "Overloaded" }) });
    expect((await screen.findByRole("alert")).textContent).toBe("Couldn’t load this page");
  });
});
