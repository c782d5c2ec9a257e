//! Pictures of every page, for somebody to look at.

use crate::build;
use crate::chromium;
use crate::process::{Failure, must_succeed};
use crate::shell;
use crate::shop::{PASSWORD, Shop};
use crate::stages::Stages;
use crate::workspace::Workspace;

/// `cargo xtask shots`: react-shell/e2e/results/shots/, which git ignores.
pub fn take(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    build::everything(workspace, stages)?;
    let chromium = chromium::find_or_install()?;
    let shop = Shop::open(workspace, "shots", &[])?;
    let mut command = shell::npm(workspace);
    command
        .args(["run", "shots"])
        .env("SHOP_URL", &shop.url)
        .env("SHOP_DEMO_PASSWORD", PASSWORD)
        .env("SHOP_CHROMIUM", chromium);
    stages.run("shots", || must_succeed(&mut command).map(drop))
}
