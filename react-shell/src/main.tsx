import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { createRouter } from "./app/router";
import { prepareShell } from "./shared/first-paint";
import { startRules } from "./shared/rules";
import { startViews } from "./shared/use-rust-view";
import { session } from "./shared/session";
import "./styles.css";

// The rules, the views and the session come first: pages ask all three without waiting. If one of them can't be had,
// the server's page stays, which can be read and whose links work.
await Promise.all([startRules(), startViews(), session.start()]);
// A task of its own, like each of the pieces of the first page: between them the server's page answers.
await new Promise((resolve) => setTimeout(resolve));
createRoot(prepareShell()).render(
  <StrictMode>
    <RouterProvider router={createRouter()} />
  </StrictMode>,
);
