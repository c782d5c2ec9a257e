//! The npm packages for other developers: `packages/dist/`, which the server embeds.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{Failure, Finished, capture, cargo, must_succeed, run};
use crate::stamp::Stamp;
use crate::workspace::Workspace;
use crate::{browser, shell};

/// What the packages contain, besides their own files and the WASM packages.
const INPUTS: [&str; 5] =
    ["packages", "Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE", "react-shell/src/generated/openapi.d.ts"];

/// Builds and packs the packages, if an input changed.
pub fn pack(workspace: &Workspace) -> Result<(), Failure> {
    let folder = folder(workspace);
    shell::install_in(&folder)?;
    let inputs: Vec<PathBuf> = INPUTS.iter().map(|input| workspace.root.join(input)).collect();
    let output = folder.join("dist/index.json");
    let stamp = Stamp::of(folder.join("node_modules/.cache/pack"), output, &inputs, "npm run pack")?;
    if stamp.is_fresh() { Ok(()) } else { stamp.keep_after(&mut shell::npm(&folder, "run pack")) }
}

/// The packages' own tests, and projects of other developers that install them. `CONSUMERS=all` runs every project.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let mut command = npm(workspace, "run --silent test");
    command.env("SHOP_SERVER", workspace.server()).env("PROJECTS", workspace.target.join("projects"));
    capture(command.env("CHROMIUM", browser::chromium()?))
}

/// What npm, TypeScript and crates.io require of the packages and of the crate in them.
pub fn check(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut npm(workspace, "run check"))?;
    let package = "package --package wasm-core --allow-dirty --no-verify --quiet";
    run(&mut cargo(&workspace.root, package))?;
    let mut doc = cargo(&workspace.root, "doc --package wasm-core --no-deps --quiet");
    run(doc.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Fails on a breaking change of the public surface that the version does not announce, and on a stale list of it.
pub fn check_surface(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut npm(workspace, "run surface"))
}

/// Writes `packages/surface/`.
pub fn write_surface(workspace: &Workspace) -> Result<(), Failure> {
    run(&mut npm(workspace, "run surface -- --write"))
}

/// Sizes and times of the rules' entries, a metric a line.
pub fn measure(workspace: &Workspace) -> Result<Vec<String>, Failure> {
    Ok(must_succeed(&mut npm(workspace, "run --silent measure"))?.lines)
}

fn npm(workspace: &Workspace, arguments: &str) -> Command {
    shell::npm(&folder(workspace), arguments)
}

fn folder(workspace: &Workspace) -> PathBuf {
    workspace.root.join("packages")
}
