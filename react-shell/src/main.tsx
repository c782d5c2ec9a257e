import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { createRouter } from "./app/router";
import { startRules } from "./shared/rules";
import { session } from "./shared/session";
import { applyTheme } from "./shared/theme";
import "./styles.css";

applyTheme();
const host = document.getElementById("root");
if (!host) throw new Error("The page has no #root.");

// The rules and the session come first: loaders ask both without waiting.
await Promise.all([startRules(), session.start()]);
createRoot(host).render(
  <StrictMode>
    <RouterProvider router={createRouter()} />
  </StrictMode>,
);
