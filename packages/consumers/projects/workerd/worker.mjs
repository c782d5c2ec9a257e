import { answers } from "./answers.mjs";

export default { fetch: () => new Response(answers) };
