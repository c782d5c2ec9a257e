//! The browser packages: wasm-core's rules, app's views and its Schedule Lab, each with its TypeScript types.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, Finished, capture, cargo, must_succeed, remove_cargo_variables};
use crate::setup::BROWSER_TARGET;
use crate::stamp::Stamp;
use crate::tools;
use crate::workspace::{Workspace, variable};

/// A crate that becomes a package of the shell.
#[derive(Clone, Copy)]
struct Package {
    /// The folder in `src/generated`.
    name: &'static str,
    /// The base name of its files.
    module: &'static str,
    source: &'static str,
    features: &'static [&'static str],
    inputs: &'static [&'static str],
}

/// Build settings of the crates, beside their own files: docs/adr/0009.
const BUILD: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

const PACKAGES: [Package; 3] = [
    Package { name: "wasm-core", module: "wasm_core", source: "wasm-core", features: &[], inputs: &["wasm-core"] },
    Package {
        name: "lab",
        module: "lab",
        source: "app",
        features: &["--features", "lab"],
        inputs: &["app", "wasm-core", "docs/guide/schedule.md"],
    },
    Package { name: "app", module: "app", source: "app", features: &[], inputs: &["app", "wasm-core"] },
];

impl Package {
    fn out(self, workspace: &Workspace) -> PathBuf {
        workspace.shell.join("src/generated").join(self.name)
    }

    fn stamp(self, workspace: &Workspace) -> Result<Stamp, Failure> {
        let inputs: Vec<PathBuf> = self.inputs.iter().chain(&BUILD).map(|input| workspace.root.join(input)).collect();
        Stamp::of(workspace.stamp(self.name), &inputs, &format!("{:?}", tools::folders(workspace)?))
    }

    fn is_fresh(self, workspace: &Workspace) -> Result<bool, Failure> {
        let module = format!("{}_bg.wasm", self.module);
        Ok(self.out(workspace).join(module).is_file() && self.stamp(workspace)?.is_fresh())
    }
}

/// Compiles the stale packages. This needs neither npm nor the build tools.
pub fn compile(workspace: &Workspace) -> Result<(), Failure> {
    for package in stale(workspace)? {
        let mut command = cargo();
        command.args(["build", "--release", "--lib", "--target", BROWSER_TARGET, "--package", package.source]);
        must_succeed(command.args(package.features).current_dir(&workspace.root))?;
    }
    Ok(())
}

/// Packs the compiled crates: bindings, types and wasm-opt.
///
/// The order is the reverse of [`compile`], because the builds overwrite each other's `wasm_core.wasm` and `app.wasm`: the
/// last compiled package is still valid, and the others are linked again.
pub fn pack(workspace: &Workspace) -> Result<(), Failure> {
    stale(workspace)?.into_iter().rev().try_for_each(|package| pack_one(workspace, package))
}

fn pack_one(workspace: &Workspace, package: Package) -> Result<(), Failure> {
    let out = package.out(workspace);
    wasm_pack(workspace, package.source, "web", &["--out-name", package.module], &out, package.features)?;
    package.stamp(workspace)?.keep()
}

/// wasm-core with the schedule, for third-party developers and one of wasm-pack's targets.
pub fn pack_for_integrators(workspace: &Workspace, target: &str, out: &Path) -> Result<(), Failure> {
    wasm_pack(workspace, "wasm-core", target, &[], out, &["--features", "schedule-js"])
}

fn wasm_pack(
    workspace: &Workspace,
    source: &str,
    target: &str,
    named: &[&str],
    out: &Path,
    features: &[&str],
) -> Result<(), Failure> {
    let mut command = Command::new("wasm-pack");
    command
        .args(["build", source, "--mode", "no-install", "--release", "--target", target])
        .args(named)
        .arg("--out-dir")
        .arg(out)
        .arg("--")
        .args(features)
        .current_dir(&workspace.root)
        .env("PATH", path(workspace)?);
    remove_cargo_variables(&mut command);
    must_succeed(&mut command).map(drop)
}

/// wasm-core's tests, compiled to WASM and run by Node.js.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let mut command = cargo();
    command
        .args(["test", "--release", "--target", BROWSER_TARGET, "--package", "wasm-core", "--no-fail-fast"])
        .args(["--features", "schedule-js"])
        .current_dir(&workspace.root)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .env("PATH", path(workspace)?);
    capture(&mut command)
}

/// Lints the code that only browser builds compile: bindings, mounting of views, gallery.
pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    let builds = [
        &["--package", "wasm-core", "--lib", "--features", "schedule-js"][..],
        &["--package", "app", "--lib", "--bins", "--features", "gallery"],
        &["--package", "app", "--lib", "--features", "lab"],
    ];
    for build in builds {
        let mut command = cargo();
        command.args(["clippy", "--release", "--target", BROWSER_TARGET]).args(build).args(["--", "-D", "warnings"]);
        must_succeed(command.current_dir(&workspace.root))?;
    }
    Ok(())
}

fn stale(workspace: &Workspace) -> Result<Vec<Package>, Failure> {
    let mut stale = Vec::new();
    for package in PACKAGES {
        if !package.is_fresh(workspace)? {
            stale.push(package);
        }
    }
    Ok(stale)
}

/// `PATH` with the locked tools first, then npm's wasm-opt.
fn path(workspace: &Workspace) -> Result<std::ffi::OsString, Failure> {
    let mut folders = tools::folders(workspace)?;
    folders.push(workspace.shell.join("node_modules/.bin"));
    folders.extend(std::env::split_paths(&variable("PATH").unwrap_or_default()));
    std::env::join_paths(folders).map_err(|error| Failure::new(format!("PATH: {error}")))
}

#[cfg(test)]
mod tests {
    const MANIFEST: &str = include_str!("../../Cargo.toml");

    /// The packages that a profile gives this `opt-level`.
    fn with_level(profile: &str, level: &str) -> Vec<&'static str> {
        let section = format!("[profile.{profile}.package.");
        let setting = format!("opt-level = {level}");
        let mut sections = MANIFEST.split('\n').filter(|line| line.starts_with('[') || **line == setting).peekable();
        let mut found = Vec::new();
        while let Some(line) = sections.next() {
            let name = line.strip_prefix(section.as_str()).and_then(|rest| rest.strip_suffix(']'));
            if sections.peek().is_some_and(|next| **next == setting) {
                found.extend(name);
            }
        }
        found
    }

    #[test]
    fn what_is_small_in_browsers_is_fast_in_what_a_shop_ships() {
        let small = with_level("release", "\"z\"");
        assert!(small.contains(&"wasm-core") && small.contains(&"app"), "{small:?}");
        assert_eq!(small, with_level("dist", "3"));
    }
}
