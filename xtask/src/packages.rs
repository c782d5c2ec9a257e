//! The npm packages for other developers: `packages/dist/`, which the server embeds.

use std::path::PathBuf;

use crate::process::Failure;
use crate::shell;
use crate::stamp::Stamp;
use crate::workspace::Workspace;

/// What the packages contain, beside their own files and the WASM packages.
const INPUTS: [&str; 5] =
    ["packages", "Cargo.toml", "LICENSE-MIT", "LICENSE-APACHE", "react-shell/src/generated/openapi.d.ts"];

/// Builds and packs the packages, if an input changed.
pub fn pack(workspace: &Workspace) -> Result<(), Failure> {
    let folder = workspace.root.join("packages");
    shell::install_in(&folder)?;
    let inputs: Vec<PathBuf> = INPUTS.iter().map(|input| workspace.root.join(input)).collect();
    let output = folder.join("dist/index.json");
    let stamp = Stamp::of(folder.join("node_modules/.cache/pack"), output, &inputs, "npm run pack")?;
    if stamp.is_fresh() { Ok(()) } else { stamp.keep_after(&mut shell::npm(&folder, "run pack")) }
}
