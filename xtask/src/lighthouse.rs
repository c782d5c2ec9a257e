//! How the pages where people come in fare in Lighthouse.

use std::process::Command;

use crate::build;
use crate::chromium;
use crate::process::{Failure, must};
use crate::shell;
use crate::shop::Shop;
use crate::stages::Stages;
use crate::workspace::Workspace;

/// `cargo xtask lighthouse`: a table with the medians of five rounds; fails when a score that does not depend on the
/// machine (accessibility, best practices, search engines) is below 100.
pub fn measure(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    build::everything(workspace, stages)?;
    let chromium = chromium::find_or_install()?;
    let folder = workspace.root.join("bench");
    // Only this command needs it, so nothing else waits for it.
    stages.run("lighthouse", || shell::install_in(&folder))?;
    let shop = Shop::open(workspace, "lighthouse", &[])?;
    let mut command = Command::new("node");
    command.arg("lighthouse.mjs").current_dir(&folder).env("SHOP_URL", &shop.url).env("SHOP_CHROMIUM", chromium);
    stages.run("pages", || must("lighthouse", &mut command).map(drop))
}
