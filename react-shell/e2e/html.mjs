import { HtmlValidate } from "html-validate";

// Same-origin files need no subresource integrity.
const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:document"],
  rules: { "require-sri": "off" },
});

/** What is invalid in a document. @param {string} html */
export async function htmlErrors(html) {
  const report = await validator.validateString(html);
  const messages = report.results.flatMap((result) => result.messages);
  return messages.map(({ ruleId, message, line, column }) => `${ruleId} at ${line}:${column}: ${message}`);
}

/** What is invalid in the page as the shell renders it. @param {import("@playwright/test").Page} page */
export async function htmlErrorsOf(page) {
  const html = (await page.content())
    // The content of the third-party bot check widget is not validated.
    .replace(/(<altcha-widget[^>]*>)[^]*(?=<\/altcha-widget>)/, "$1")
    // The Lab's text field has a marker of its view, a comment, which would be text if the document were read again.
    .replace("<!----></textarea>", "</textarea>");
  // HTML standard: the first option of a required select is empty.
  const preset = await page
    .locator("select[required]")
    .evaluateAll((found) =>
      found
        .filter((select) => select instanceof HTMLSelectElement && select.options[0]?.value !== "")
        .map((select) => `a required select starts with a value: ${select.outerHTML}`),
    );
  return [...(await htmlErrors(html)), ...preset];
}
