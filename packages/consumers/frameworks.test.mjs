// Components of other developers that use `<nudgelight-buy>`, type-checked with their mistakes found.
import assert from "node:assert/strict";
import { test } from "node:test";
import { installProject } from "./project.mjs";

const TYPESCRIPT = { typescript: "5.9.3" };
const FRAMEWORKS = {
  react: [{ react: "19.3.1", "@types/react": "19.3.0" }, "tsc"],
  vue: [{ vue: "3.5.45", "vue-tsc": "3.3.14" }, "vue-tsc"],
  svelte: [{ svelte: "5.57.3", "svelte-check": "4.7.8" }, "svelte-check", "--fail-on-warnings"],
};

for (const [name, [tools, checker, ...options]] of Object.entries(FRAMEWORKS)) {
  test(`a component in ${name} is type-checked with its mistakes found`, async () => {
    const project = await installProject(`${name}-types`, "buy", { ...TYPESCRIPT, ...tools });
    await project.tool(checker, ...options).catch(({ stdout }) => assert.fail(stdout));
  });
}
