import { answers } from "./answers.mjs";

console.log(answers);
