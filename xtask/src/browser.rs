//! The browser tests: a shop of their own, a real Chromium.

use crate::chromium;
use crate::process::{Failure, Finished, capture};
use crate::shell;
use crate::shop::{PASSWORD, Shop};
use crate::workspace::Workspace;

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    run(workspace, &["e2e"])
}

/// `script` is npm's, with its arguments.
pub fn run(workspace: &Workspace, script: &[&str]) -> Result<Finished, Failure> {
    let chromium = chromium::find_or_install()?;
    let shop = Shop::open(workspace, "browser", &[])?;
    let mut command = shell::npm(workspace);
    command
        .arg("run")
        .args(script)
        .env("SHOP_URL", &shop.url)
        .env("SHOP_MAIL_DIR", shop.data.join("mail"))
        .env("SHOP_DEMO_PASSWORD", PASSWORD)
        .env("SHOP_CHROMIUM", chromium)
        // For the tests that need a shop with other settings.
        .env("SHOP_SERVER", workspace.server());
    let finished = capture(&mut command)?;
    shop.leave(&finished);
    Ok(finished)
}
