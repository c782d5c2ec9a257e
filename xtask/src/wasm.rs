//! The WASM packages, each with its TypeScript types: for the shell wasm-core's rules and estimates, app's views and its
//! Schedule Lab; for the npm package `@nudgelight/core` one of wasm-core for each entry.

use std::path::PathBuf;
use std::process::Command;

use crate::process::{Failure, Finished, capture, cargo, remove_cargo_variables, run};
use crate::stamp::Stamp;
use crate::tools;
use crate::workspace::{Workspace, variable};

/// A crate that becomes packages.
#[derive(Clone, Copy)]
struct Source {
    name: &'static str,
    inputs: &'static [&'static str],
}

const RULES: Source = Source { name: "wasm-core", inputs: &["wasm-core"] };
const VIEWS: Source = Source { name: "app", inputs: &["app", "wasm-core"] };
/// The Schedule Lab shows examples of the guide.
const LAB: Source = Source { name: "app", inputs: &["app", "wasm-core", "docs/guide/schedule.md"] };
/// Build settings of the crates, besides their own files: docs/adr/0009.
const BUILD: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

#[derive(Clone, Copy)]
struct Package {
    /// Where it is written.
    folder: &'static str,
    /// The base name of its files, and the name of its stamp.
    module: &'static str,
    source: Source,
    features: &'static str,
}

const PACKAGES: [Package; 7] = [
    Package::new("react-shell/src/generated/wasm-core", "wasm_core", RULES, ""),
    Package::new("react-shell/src/generated/estimates", "estimates", RULES, "--no-default-features -F estimates-js"),
    Package::new("packages/core/wasm/index", "index", RULES, "-F package-js"),
    Package::new("packages/core/wasm/tax", "tax", RULES, "--no-default-features -F tax-js"),
    Package::new("packages/core/wasm/schedule", "schedule", RULES, "--no-default-features -F schedule-js"),
    Package::new("react-shell/src/generated/lab", "lab", LAB, "-F lab"),
    Package::new("react-shell/src/generated/app", "app", VIEWS, ""),
];

impl Package {
    const fn new(folder: &'static str, module: &'static str, source: Source, features: &'static str) -> Self {
        Self { folder, module, source, features }
    }

    fn out(self, workspace: &Workspace) -> PathBuf {
        workspace.root.join(self.folder)
    }

    fn stamp(self, workspace: &Workspace) -> Result<Stamp, Failure> {
        let inputs = self.source.inputs.iter().chain(&BUILD);
        let inputs: Vec<PathBuf> = inputs.map(|input| workspace.root.join(input)).collect();
        let output = self.out(workspace).join(format!("{}_bg.wasm", self.module));
        Stamp::of(workspace.stamp(self.module), output, &inputs, &format!("{:?}", tools::folders(workspace)?))
    }
}

/// Compiles the stale packages. This needs neither npm nor the build tools.
pub fn compile(workspace: &Workspace) -> Result<(), Failure> {
    for package in stale(workspace)? {
        let mut command = cargo(&workspace.root, "build --release --lib --target wasm32-unknown-unknown --package");
        run(command.arg(package.source.name).args(package.features.split_whitespace()))?;
    }
    Ok(())
}

/// Packs the compiled crates whose packages are in `folder`, or all: bindings, types and wasm-opt.
///
/// The order is the reverse of [`compile`], because the builds overwrite each other's `wasm_core.wasm` and `app.wasm`: the
/// last compiled package is still valid, and the others are linked again.
pub fn pack(workspace: &Workspace, folder: &str) -> Result<(), Failure> {
    for package in stale(workspace)?.into_iter().rev().filter(|package| package.folder.starts_with(folder)) {
        let mut command = wasm_pack(workspace, package)?;
        command.args(["--out-name", package.module, "--"]).args(package.features.split_whitespace());
        package.stamp(workspace)?.keep_after(&mut command)?;
    }
    Ok(())
}

fn wasm_pack(workspace: &Workspace, package: Package) -> Result<Command, Failure> {
    let mut command = Command::new("wasm-pack");
    command
        .args(["build", package.source.name, "--mode", "no-install", "--release", "--target", "web", "--out-dir"])
        .arg(package.out(workspace))
        .current_dir(&workspace.root)
        .env("PATH", path(workspace)?);
    remove_cargo_variables(&mut command);
    Ok(command)
}

/// wasm-core's tests, compiled to WASM and run by Node.js.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let arguments = "test --release --target wasm32-unknown-unknown --package wasm-core --no-fail-fast --features package-js,tax-js,schedule-js";
    let mut command = cargo(&workspace.root, arguments);
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
    capture(command.env("PATH", path(workspace)?))
}

/// Lints the code that only browser builds compile: bindings, mounting of views, gallery.
pub fn lint(workspace: &Workspace) -> Result<(), Failure> {
    let builds = [
        "--package wasm-core --lib --features package-js,tax-js,schedule-js",
        "--package wasm-core --lib",
        "--package wasm-core --lib --no-default-features --features schedule-js",
        "--package wasm-core --lib --no-default-features --features tax-js",
        "--package wasm-core --lib --no-default-features --features estimates-js",
        "--package app --lib --bins --features gallery",
        "--package app --lib --features lab",
    ];
    builds.iter().try_for_each(|build| {
        let arguments = format!("clippy --release --target wasm32-unknown-unknown {build} -- -D warnings");
        run(&mut cargo(&workspace.root, &arguments))
    })
}

fn stale(workspace: &Workspace) -> Result<Vec<Package>, Failure> {
    let mut stale = Vec::new();
    for package in PACKAGES {
        if !package.stamp(workspace)?.is_fresh() {
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
    Ok(std::env::join_paths(folders)?)
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    /// The packages that a profile gives this `opt-level`.
    fn with_level(profile: &str, level: &str) -> Vec<String> {
        let pattern = format!(r#"(?m)^\[profile\.{profile}\.package\.(.+)\]\nopt-level = {level}$"#);
        let packages = Regex::new(&pattern).unwrap();
        packages.captures_iter(include_str!("../../Cargo.toml")).map(|package| package[1].to_owned()).collect()
    }

    #[test]
    fn what_is_small_in_browsers_is_fast_in_what_a_shop_ships() {
        let small = with_level("release", "\"z\"");
        assert!(["wasm-core", "app"].iter().all(|package| small.iter().any(|name| name == package)), "{small:?}");
        assert_eq!(small, with_level("dist", "3"));
    }
}
