//! Lighthouse scores of the landing pages.

use std::process::Command;

use crate::build;
use crate::chromium;
use crate::process::{Failure, must_succeed};
use crate::shell;
use crate::shop::Shop;
use crate::stages::Stages;
use crate::workspace::Workspace;

/// `cargo xtask lighthouse`: a table with the medians of five rounds. Fails if a score that does not depend on the machine
/// (accessibility, best practices, SEO) is below 100.
pub fn measure(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    build::everything(workspace, stages)?;
    let shop = Shop::open(workspace, "lighthouse", &[])?;
    let table = stages.run("lighthouse", || medians(workspace, &shop))?;
    table.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// The lines of the table.
pub fn medians(workspace: &Workspace, shop: &Shop) -> Result<Vec<String>, Failure> {
    let chromium = chromium::find_or_install()?;
    let folder = workspace.root.join("bench");
    // The packages are installed here, because only Lighthouse needs them.
    shell::install_in(&folder)?;
    let mut command = Command::new("node");
    command.arg("lighthouse.mjs").current_dir(&folder).env("SHOP_URL", &shop.url).env("CHROMIUM", chromium);
    Ok(must_succeed(&mut command)?.lines)
}
