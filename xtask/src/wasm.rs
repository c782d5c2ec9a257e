//! The browser packages: wasm-core's rules, app's views and its Schedule Lab, each with its TypeScript types.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Failure, Finished, cargo, forget_cargo_run, must, watch};
use crate::setup::BROWSER_TARGET;
use crate::stamp::Stamp;
use crate::tools;
use crate::workspace::{Workspace, variable};

/// Small, because people wait for it to arrive. Set from outside, so that the browser packages and the server share one
/// profile and with it the build scripts and procedural macros both need. Link-time optimisation is not among them: it
/// would reach those too, and after wasm-opt it saves nothing. Views are erased to one type at their seams, so that
/// there is one copy of what puts them into the page: docs/adr/0025.
const SETTINGS: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "z"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1"),
    ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "--cfg erase_components"),
];

/// A crate that becomes a package of the shell.
#[derive(Clone, Copy)]
struct Package {
    /// Its folder among what is generated.
    name: &'static str,
    /// What its files are called.
    module: &'static str,
    source: &'static str,
    features: &'static [&'static str],
    inputs: &'static [&'static str],
}

const PACKAGES: [Package; 3] = [
    Package {
        name: "wasm-core",
        module: "wasm_core",
        source: "wasm-core",
        features: &[],
        inputs: &["wasm-core", "Cargo.toml", "Cargo.lock"],
    },
    Package {
        name: "lab",
        module: "lab",
        source: "app",
        features: &["--features", "lab"],
        inputs: &["app", "wasm-core", "docs/guide/schedule.md", "Cargo.toml", "Cargo.lock"],
    },
    Package {
        name: "app",
        module: "app",
        source: "app",
        features: &[],
        inputs: &["app", "wasm-core", "Cargo.toml", "Cargo.lock"],
    },
];

impl Package {
    fn out(self, workspace: &Workspace) -> PathBuf {
        workspace.shell.join("src/generated").join(self.name)
    }

    fn stamp(self, workspace: &Workspace) -> Result<Stamp, Failure> {
        let inputs: Vec<PathBuf> = self.inputs.iter().map(|input| workspace.root.join(input)).collect();
        let settings = format!("{SETTINGS:?}{:?}", tools::folders(workspace)?);
        Stamp::of(workspace.stamp(self.name), &inputs, &settings)
    }

    fn is_fresh(self, workspace: &Workspace) -> Result<bool, Failure> {
        let module = format!("{}_bg.wasm", self.module);
        Ok(self.out(workspace).join(module).is_file() && self.stamp(workspace)?.is_fresh())
    }
}

/// Compiles the stale packages: all of the work that needs neither npm nor the build tools.
pub fn compile(workspace: &Workspace) -> Result<(), Failure> {
    for package in stale(workspace)? {
        let mut command = cargo();
        command.args(["build", "--release", "--lib", "--target", BROWSER_TARGET, "--package", package.source]);
        must("wasm", command.args(package.features).current_dir(&workspace.root).envs(SETTINGS))?;
    }
    Ok(())
}

/// Turns the compiled crates into packages: bindings, types, and wasm-opt's last third of the size.
///
/// One after the other, in the order opposite to [`compile`]: all builds write `wasm_core.wasm` and two of them
/// `app.wasm`, so the package that was compiled last is still good and the others are linked once more.
pub fn pack(workspace: &Workspace) -> Result<(), Failure> {
    stale(workspace)?.into_iter().rev().try_for_each(|package| pack_one(workspace, package))
}

fn pack_one(workspace: &Workspace, package: Package) -> Result<(), Failure> {
    let out = package.out(workspace);
    wasm_pack(workspace, package.source, "web", &["--out-name", package.module], &out, package.features)?;
    package.stamp(workspace)?.keep()
}

/// wasm-core as integrators get it, with the schedule, for one of wasm-pack's targets.
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
        .env("PATH", path(workspace)?)
        .envs(SETTINGS);
    forget_cargo_run(&mut command);
    must("wasm-pack", &mut command).map(drop)
}

/// wasm-core's own tests, inside a WASM machine: Node.js.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let mut command = cargo();
    command
        .args(["test", "--release", "--target", BROWSER_TARGET, "--package", "wasm-core", "--no-fail-fast"])
        .args(["--features", "schedule-js"])
        .current_dir(&workspace.root)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
        .env("PATH", path(workspace)?)
        .envs(SETTINGS);
    watch("wasm", &mut command)
}

/// Lints of what only the browser compiles: the bindings, the mounting of views, and the gallery.
pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    let builds = [
        &["--package", "wasm-core", "--lib", "--features", "schedule-js"][..],
        &["--package", "app", "--lib", "--bins", "--features", "gallery"],
        &["--package", "app", "--lib", "--features", "lab"],
    ];
    for build in builds {
        let mut command = cargo();
        command.args(["clippy", "--release", "--target", BROWSER_TARGET]).args(build).args(["--", "-D", "warnings"]);
        must("clippy", command.current_dir(&workspace.root).envs(SETTINGS))?;
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

/// The locked tools first, then npm's wasm-opt, then what the person has.
fn path(workspace: &Workspace) -> Result<std::ffi::OsString, Failure> {
    let mut folders = tools::folders(workspace)?;
    folders.push(workspace.shell.join("node_modules/.bin"));
    folders.extend(std::env::split_paths(&variable("PATH").unwrap_or_default()));
    std::env::join_paths(folders).map_err(|error| Failure::new(format!("PATH: {error}")))
}
