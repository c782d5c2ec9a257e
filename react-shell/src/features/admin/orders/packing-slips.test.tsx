import { screen, waitFor } from "@testing-library/react";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { errorResponse, offline, openShop, signIn, type MockResponses } from "../../../test-shop";

const SLIPS = "GET /api/admin/packing-slips";
const HTML = '<section class="sheet packing-slip"><h2>Packing slip NL-1001</h2></section>';

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

function openSlips(responses: MockResponses = { [SLIPS]: () => new Response(HTML) }) {
  return openShop("/admin/packing-slips?numbers=1001&page=2", responses);
}

describe("packing slips", () => {
  test("are those of the selected orders, on the paper chosen last", async () => {
    const page = openSlips();
    await screen.findByRole("heading", { name: "Packing slip NL-1001" });
    expect(page.sent(`${SLIPS}?numbers=1001`)).toHaveLength(1);
    const rule = () => [...document.querySelectorAll("style")].map((style) => style.textContent).join("");
    expect(rule()).toContain("size: letter");
    await page.user.selectOptions(screen.getByLabelText("Paper size"), "4x6");
    expect(rule()).toContain("size: 4in 6in");
    const sheets = document.querySelector<HTMLElement>(".paper");
    expect(sheets?.dataset).toMatchObject({ paper: "4x6", parts: "all" });
    await page.user.selectOptions(screen.getByLabelText("Print"), "pick-list");
    expect(sheets?.dataset["parts"]).toBe("pick-list");
    page.unmount();
    openSlips();
    expect(await screen.findByLabelText("Paper size")).toHaveProperty("value", "4x6");
  });

  test("are printed", async () => {
    const print = vi.fn<() => void>();
    vi.stubGlobal("print", print);
    const page = openSlips();
    await page.user.click(await screen.findByRole("button", { name: "Print" }));
    await waitFor(() => expect(print).toHaveBeenCalledOnce());
  });

  test("that are too many, or cannot be had, are told", async () => {
    const fields = { numbers: "At most 200 packing slips are printed at once. Select fewer orders." };
    openSlips({ [SLIPS]: errorResponse(400, { error: "Invalid.", code: "InvalidRequest", fields }) });
    expect((await screen.findByRole("alert")).textContent).toBe(fields.numbers);
  });

  test("that cannot be had are told, and can be asked for again", async () => {
    openSlips({ [SLIPS]: offline });
    const alert = await screen.findByRole("alert");
    expect(alert.textContent).toBe("Couldn’t load packing slips. Please try again later.");
    expect(screen.getByRole("button", { name: "Try Again" })).toBeTruthy();
  });
});
