import { readdir, readFile } from "node:fs/promises";
import { HtmlValidate } from "html-validate";
import { describe, expect, test } from "vitest";

/** Snapshots of all emails, from the tests of `app`. */
const FOLDER = "../app/testdata/emails";

// Email clients that ignore styles use the `width` attribute.
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
