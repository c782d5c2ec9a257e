import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { logPageError } from "./app/error-page";
import { createRouter } from "./app/router";
import { createShellRoot } from "./shared/first-paint";
import { recordFailedImports } from "./shared/load-failure";
import { startRules } from "./shared/rules";
import { startViews } from "./shared/use-rust-view";
import { session } from "./shared/session";
import "./styles.css";

// Pages use the rules, the views and the session synchronously. If one of them fails to load, the server-rendered page
// stays, with working links.
recordFailedImports();
await Promise.all([startRules(), startViews(), session.restore()]);
// Yields to the event loop, so that the server-rendered page stays responsive.
await new Promise((resolve) => setTimeout(resolve));
// The router reports the errors of pages, so React does not log them again.
createRoot(createShellRoot(), { onCaughtError: () => undefined }).render(
  <StrictMode>
    <RouterProvider router={createRouter()} onError={logPageError} />
  </StrictMode>,
);
