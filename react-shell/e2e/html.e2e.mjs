// The HTML that the server renders. `every-page.e2e.mjs` checks what the shell makes of it.
import assert from "node:assert/strict";
import { test } from "./fixtures.mjs";
import { htmlErrors } from "./html.mjs";
import { PUBLIC } from "./routes.mjs";

test.describe("the server's HTML is valid", () => {
  for (const path of PUBLIC)
    test(`of ${path}`, async ({ shop }) => {
      const response = await fetch(new URL(path, shop.url));
      assert.deepEqual(await htmlErrors(await response.text()), []);
    });
});
