//! The browser tests: Playwright with an installed Chromium. Its fixtures start the shops.

use std::process::Command;

use crate::chromium;
use crate::process::{Failure, Finished, capture};
use crate::shell;
use crate::workspace::Workspace;

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    capture(&mut playwright(workspace, "browser")?)
}

/// Stripe's own library and Stripe.js against the mock Stripe.
pub fn mock_stripe(workspace: &Workspace) -> Result<Finished, Failure> {
    capture(&mut playwright(workspace, "stripe")?)
}

/// Playwright for one project of `react-shell/playwright.config.ts`. The HTML report is in `test-results/`.
pub fn playwright(workspace: &Workspace, project: &str) -> Result<Command, Failure> {
    let mut command = shell::npm(workspace);
    command
        .args(["run", "e2e", "--", "--project", project])
        .env("CHROMIUM", chromium::find_or_install()?)
        .env("SHOP_SERVER", workspace.server())
        .env("PLAYWRIGHT_HTML_OUTPUT_DIR", workspace.test_results().join(format!("{project}-report")));
    Ok(command)
}
