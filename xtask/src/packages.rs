//! wasm-core's npm packages for third-party developers, each tested in an empty project.

use crate::process::{Failure, Finished, capture};
use crate::shell;
use crate::wasm;
use crate::workspace::Workspace;

/// wasm-pack's targets: bundlers, browsers without a bundler, Node.js.
const TARGETS: [&str; 3] = ["bundler", "web", "nodejs"];

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let folder = workspace.root.join("wasm-core/tests/packages");
    shell::install_in(&folder)?;
    let packages = workspace.target.join("packages");
    for target in TARGETS {
        wasm::pack_for_integrators(workspace, target, &packages.join(target))?;
    }
    capture(shell::npm_in(&folder).args(["run", "--silent", "test"]).env("PACKAGES", packages))
}
