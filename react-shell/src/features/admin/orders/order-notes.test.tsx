import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { ADMIN_ORDER, errorResponse, offline, openShop, signIn } from "../../../test-shop";

const FIND = "GET /api/admin/order/o1";
const ADD = "POST /api/admin/order/o1/notes";

beforeEach(() => signIn("admin@nudgelight.example", ["Admin"]));

test("a note is added to the timeline with its author, and the field is empty again", async () => {
  let order = ADMIN_ORDER;
  const page = openShop("/admin/order/o1", {
    [FIND]: () => Response.json(order),
    [ADD]: () => {
      const entry = {
        created_at: "2026-11-21T13:05:00.000Z",
        created_at_local: "2026-11-21T13:05:00.000Z",
        actor: "bo@nudgelight.example",
        kind: "note",
        message: "Call first.",
      };
      order = { ...order, history: [{ ...entry, is_note: true }] };
      return Response.json(order, { status: 201 });
    },
  });
  const field = await screen.findByLabelText("Internal note");
  await page.user.type(field, "Call first.");
  await page.user.click(screen.getByRole("button", { name: "Add Note" }));
  await screen.findByText("Note added.");
  const entry = await screen.findByText(/bo@nudgelight.example/);
  expect(entry.closest("li")?.textContent).toContain("Note: Call first.");
  expect(field).toHaveProperty("value", "");
  expect(page.sent(ADD)[0]?.body).toEqual({ note: "Call first." });
});

test("an empty note isn't sent, and a rejected one keeps its text", async () => {
  const fields = { note: "A note has at most 2000 characters; you typed 2001." };
  const responses = [errorResponse(400, { error: "Wrong.", code: "InvalidRequest", fields }), offline];
  const page = openShop("/admin/order/o1", {
    [FIND]: ADMIN_ORDER,
    [ADD]: () => responses.shift()?.(),
  });
  const field = await screen.findByLabelText("Internal note");
  const add = screen.getByRole("button", { name: "Add Note" });
  await page.user.click(add);
  expect(screen.getByText("Enter a note.")).toBeTruthy();
  expect(page.sent(ADD)).toHaveLength(0);
  await page.user.type(field, "Long.");
  await page.user.click(add);
  expect(await screen.findByText(fields.note)).toBeTruthy();
  await page.user.click(add);
  await waitFor(() => expect(screen.getByText("Failed to add the note")).toBeTruthy());
  expect(field).toHaveProperty("value", "Long.");
});
