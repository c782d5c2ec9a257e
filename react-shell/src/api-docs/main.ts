// API reference at /docs: Swagger UI for the shop's OpenAPI document, in a page without the shell.
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { accessibility } from "./accessibility";
import { listPackages, packages } from "./packages";
import "swagger-ui-dist/swagger-ui.css";
import "./accessibility.css";
import "./packages.css";
import "./shop.css";

const dark = matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  document.documentElement.classList.toggle("dark-mode", dark.matches);
}

applyTheme();
dark.addEventListener("change", applyTheme);

SwaggerUI({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  plugins: [accessibility, packages(await listPackages())],
  // The default theme has too little contrast for numbers.
  syntaxHighlight: { theme: "tomorrow-night" },
  // Without a URL no document is sent to a validation service.
  validatorUrl: null,
});
