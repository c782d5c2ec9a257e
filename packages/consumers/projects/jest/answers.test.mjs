import { writeFileSync } from "node:fs";
import { answers } from "./answers.mjs";

test("a page gets the results", () => {
  document.body.textContent = answers;
  writeFileSync("out.txt", document.body.textContent);
});
