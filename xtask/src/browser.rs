//! The shop in an installed Chromium: Playwright's projects and Lighthouse.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{Failure, Finished, capture, must_succeed, run};
use crate::programs::{self, Programs, has};
use crate::shop::{PASSWORD, Shop};
use crate::stages::Stages;
use crate::workspace::{Workspace, variable};
use crate::{build, firmware, shell};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/// Chromium's engine without a user interface. The tests take a fifth less time in it.
const HEADLESS_SHELL: &str = "chromium-headless-shell";

/// A wrong path in CHROMIUM is an error, which the tests report.
pub const CHROMIUM: Programs =
    Programs::new("Chromium", "chromium", || variable("CHROMIUM").is_some() || installed().is_some());
pub const PROGRAMS: [Programs; 6] = [
    CHROMIUM,
    // Where it can't be installed, the tests run in Chromium.
    Programs::new(HEADLESS_SHELL, HEADLESS_SHELL, || headless_shell().is_some() || !programs::can_install()),
    Programs::new("Firefox", "firefox-esr", || has("firefox-esr") || has("firefox")).only_for("Firefox"),
    Programs::new("WebKitWebDriver", "webkit2gtk-driver", || has("WebKitWebDriver")).only_for("WebKit"),
    Programs::new("Xvfb", "xvfb", || has("Xvfb")).only_for("WebKit"),
    Programs::new("mcopy and the rest of mtools", "mtools", || has("mcopy")).only_for("the emulated light"),
];

fn installed() -> Option<PathBuf> {
    NAMES.into_iter().find_map(programs::find)
}

/// The path of Chromium: `CHROMIUM`, an installed one, or Debian's package.
pub fn chromium() -> Result<PathBuf, Failure> {
    match variable("CHROMIUM").map(PathBuf::from) {
        Some(named) if named.is_file() => Ok(named),
        Some(named) => Err(Failure::new(format!("CHROMIUM: {} is not a file", named.display()))),
        None => installed().map_or_else(|| programs::find_or_install("chromium", "chromium"), Ok),
    }
}

/// The path of the headless shell, or of the browser that `CHROMIUM` names.
fn headless_shell() -> Option<PathBuf> {
    variable("CHROMIUM").map(PathBuf::from).or_else(|| programs::find(HEADLESS_SHELL))
}

/// The tests of one project. Their fixtures start the shops, and one of them saves schedules to the emulated light.
pub fn test(workspace: &Workspace, project: &str) -> Result<Finished, Failure> {
    let firmware = (project == "browser").then(|| firmware::for_emulator(workspace)).transpose()?;
    capture(playwright(workspace, project)?.envs(firmware.map(|file| ("FIRMWARE", file))))
}

/// Playwright for one project of `react-shell/playwright.config.ts`. The HTML report is in `test-results/`.
pub fn playwright(workspace: &Workspace, project: &str) -> Result<Command, Failure> {
    let mut command = shell::npm(&workspace.shell, "run e2e -- --project");
    command
        .arg(project)
        .env("CHROMIUM", chromium()?)
        .envs(headless_shell().map(|file| ("CHROMIUM_HEADLESS_SHELL", file)))
        .env("SHOP_SERVER", workspace.server())
        .env("PLAYWRIGHT_HTML_OUTPUT_DIR", workspace.test_results().join(format!("{project}-report")));
    Ok(command)
}

/// `cargo xtask screenshots`: every page, or only those of the README.
pub fn take_screenshots(workspace: &Workspace, stages: &Stages, readme: bool) -> Result<(), Failure> {
    let (project, folder) =
        if readme { ("readme", "docs/images") } else { ("screenshots", "test-results/screenshots") };
    build::for_home(workspace, stages)?;
    stages.run("screenshots", || run(&mut playwright(workspace, project)?))?;
    println!("{}", workspace.root.join(folder).display());
    Ok(())
}

/// The script that adds the photographs logs in without a browser.
pub const LIGHTHOUSE_SETTINGS: [(&str, &str); 1] = [("SHOP_BOT_CHECK", "off")];

/// `cargo xtask lighthouse`: a table with the medians of five rounds. Fails if a score that does not depend on the machine
/// (accessibility, best practices, SEO) is below 100.
pub fn measure_lighthouse(workspace: &Workspace, stages: &Stages) -> Result<(), Failure> {
    build::release(workspace, stages)?;
    let shop = Shop::open(&workspace.release_server(), workspace, "lighthouse", &LIGHTHOUSE_SETTINGS)?;
    stages.run("lighthouse", || lighthouse(workspace, &shop))?.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// The lines of the table.
pub fn lighthouse(workspace: &Workspace, shop: &Shop) -> Result<Vec<String>, Failure> {
    let folder = workspace.root.join("bench");
    // The packages are installed here, because only Lighthouse needs them.
    shell::install_in(&folder)?;
    let mut command = Command::new("node");
    command.arg("lighthouse.mjs").current_dir(&folder).env("CHROMIUM", chromium()?);
    command.env("SHOP_URL", &shop.url).env("SHOP_DEMO_PASSWORD", PASSWORD);
    Ok(must_succeed(&mut command)?.lines)
}
