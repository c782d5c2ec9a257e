import { answers } from "./answers.mjs";

document.body.textContent = answers;
