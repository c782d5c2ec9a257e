import { readdir, readFile } from "node:fs/promises";
import { HtmlValidate } from "html-validate";
import { describe, expect, test } from "vitest";

/** Every email of the shop, as the tests of `app` hold it. */
const FOLDER = "../app/testdata/mails";

// Email programs that ignore styles go by `width`.
const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:document"],
  rules: { "no-deprecated-attr": "off" },
});

const names = (await readdir(FOLDER)).filter((name) => name.endsWith(".html"));

describe("the HTML of an email is valid", () => {
  test.each(names)("%s", async (name) => {
    const report = await validator.validateString(await readFile(`${FOLDER}/${name}`, "utf8"));
    const found = report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    );
    expect(found).toEqual([]);
  });
});
