//! The WASM packages, each with its TypeScript types: for the shell wasm-core's rules and estimates, app's views and its
//! Schedule Lab; for the npm package `@nudgelight/core` one of wasm-core for each entry.

use std::path::PathBuf;
use std::process::Command;
use std::thread;

use regex::Regex;
use wasm_bindgen_cli_support::Bindgen;

use crate::process::{Failure, Finished, capture, cargo, joined, remove_cargo_variables, run};
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
/// Build settings of the crates, besides their own files: docs/adr/0059.
const BUILD: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo/config.toml"];

/// A cargo profile and the folder of what it compiles.
#[derive(Clone, Copy)]
struct Profile {
    name: &'static str,
    folder: &'static str,
}

const RELEASE: Profile = Profile { name: "release", folder: "release" };
const DEV: Profile = Profile { name: "dev", folder: "debug" };

#[derive(Clone, Copy)]
struct Package {
    /// Where it is written.
    folder: &'static str,
    /// The base name of its files, and the name of its stamp.
    module: &'static str,
    source: Source,
    features: &'static str,
}

const FOR_SHELL: [Package; 4] = [
    Package::new("react-shell/src/generated/app", "app", VIEWS, ""),
    Package::new("react-shell/src/generated/lab", "lab", LAB, "-F lab"),
    Package::new("react-shell/src/generated/wasm-core", "wasm_core", RULES, ""),
    Package::new("react-shell/src/generated/estimates", "estimates", RULES, "--no-default-features -F estimates-js"),
];

const FOR_NPM: [Package; 3] = [
    Package::new("packages/core/wasm/index", "index", RULES, "-F package-js"),
    Package::new("packages/core/wasm/tax", "tax", RULES, "--no-default-features -F tax-js"),
    Package::new("packages/core/wasm/schedule", "schedule", RULES, "--no-default-features -F schedule-js"),
];

impl Package {
    const fn new(folder: &'static str, module: &'static str, source: Source, features: &'static str) -> Self {
        Self { folder, module, source, features }
    }

    fn out(self, workspace: &Workspace) -> PathBuf {
        workspace.root.join(self.folder)
    }

    /// The compiled module in the package.
    fn compiled(self, workspace: &Workspace) -> PathBuf {
        self.out(workspace).join(format!("{}_bg.wasm", self.module))
    }

    fn stamp(self, workspace: &Workspace) -> Result<Stamp, Failure> {
        let inputs = self.source.inputs.iter().chain(&BUILD);
        let inputs: Vec<PathBuf> = inputs.map(|input| workspace.root.join(input)).collect();
        Stamp::of(workspace.stamp(self.module), self.compiled(workspace), &inputs, "wasm-bindgen, wasm-opt")
    }

    /// Compiles the crate.
    fn compile(self, workspace: &Workspace, profile: Profile) -> Result<(), Failure> {
        let mut command = cargo(&workspace.root, "build --lib --target wasm32-unknown-unknown --profile");
        command.args([profile.name, "--package", self.source.name]).args(self.features.split_whitespace());
        run(&mut command)
    }

    /// Compiles the crate and writes the package, which is stale until it is optimized.
    fn write(self, workspace: &Workspace, profile: Profile) -> Result<(), Failure> {
        self.compile(workspace, profile)?;
        self.stamp(workspace)?.discard()?;
        let folder = workspace.target.join("wasm32-unknown-unknown").join(profile.folder);
        let compiled = folder.join(self.source.name.replace('-', "_"));
        let bind = || {
            let mut bindgen = Bindgen::new();
            bindgen.input_path(compiled.with_extension("wasm")).web(true)?.typescript(true).out_name(self.module);
            // As wasm-pack does: `init()` finds the module beside its script.
            bindgen.omit_default_module_path(false);
            bindgen.generate(self.out(workspace))
        };
        bind().map_err(|error| Failure::new(format!("wasm-bindgen, {}: {error:#}", self.module)))
    }

    /// Optimizes the compiled module, with the options that wasm-pack reads from the crate.
    fn optimize(self, workspace: &Workspace) -> Result<(), Failure> {
        let manifest = workspace.read(&format!("{}/Cargo.toml", self.source.name))?;
        let line = manifest.lines().find(|line| line.starts_with("wasm-opt = ")).unwrap_or_default();
        let options: Vec<&str> = Regex::new(r#""(.+?)""#)?.find_iter(line).map(|found| found.as_str()).collect();
        let mut command = Command::new("wasm-opt");
        command.args(options.iter().map(|option| option.trim_matches('"'))).arg(self.compiled(workspace)).arg("-o");
        command.arg(self.compiled(workspace)).env("PATH", path(workspace)?);
        self.stamp(workspace)?.keep_after(&mut command)
    }
}

/// Writes the stale packages of the shell. This needs no npm package.
pub fn compile_for_shell(workspace: &Workspace) -> Result<(), Failure> {
    stale(workspace, &FOR_SHELL)?.into_iter().try_for_each(|package| package.write(workspace, RELEASE))
}

/// Writes the stale packages of the shell for the next few minutes: compiled incrementally, and without an optimization
/// that takes longer. They stay stale.
pub fn compile_quickly(workspace: &Workspace) -> Result<(), Failure> {
    stale(workspace, &FOR_SHELL)?.into_iter().try_for_each(|package| package.write(workspace, DEV))
}

/// Compiles what [`compile_quickly`] needs besides a changed crate.
pub fn prepare_to_compile_quickly(workspace: &Workspace) -> Result<(), Failure> {
    FOR_SHELL.into_iter().try_for_each(|package| package.compile(workspace, DEV))
}

/// Optimizes the stale packages of the shell, all at the same time.
pub fn optimize_for_shell(workspace: &Workspace) -> Result<(), Failure> {
    let packages = stale(workspace, &FOR_SHELL)?;
    thread::scope(|scope| {
        let running: Vec<_> =
            packages.into_iter().map(|package| scope.spawn(move || package.optimize(workspace))).collect();
        running.into_iter().try_for_each(joined)
    })
}

/// Makes the stale packages of the npm package, as its users make theirs: with wasm-pack.
pub fn pack_for_npm(workspace: &Workspace) -> Result<(), Failure> {
    for package in stale(workspace, &FOR_NPM)? {
        let mut command = Command::new("wasm-pack");
        command
            .args(["build", package.source.name, "--mode", "no-install", "--release", "--target", "web", "--out-dir"])
            .arg(package.out(workspace))
            .args(["--out-name", package.module, "--"])
            .args(package.features.split_whitespace())
            .current_dir(&workspace.root)
            .env("PATH", path(workspace)?);
        remove_cargo_variables(&mut command);
        package.stamp(workspace)?.keep_after(&mut command)?;
    }
    Ok(())
}

/// wasm-core's tests, compiled to WASM and run by Node.js.
pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let arguments = "test --target wasm32-unknown-unknown --package wasm-core --no-fail-fast --features package-js,tax-js,schedule-js";
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
        let arguments = format!("clippy --target wasm32-unknown-unknown {build} -- -D warnings");
        run(&mut cargo(&workspace.root, &arguments))
    })
}

fn stale(workspace: &Workspace, packages: &[Package]) -> Result<Vec<Package>, Failure> {
    let mut stale = Vec::new();
    for package in packages {
        if !package.stamp(workspace)?.is_fresh() {
            stale.push(*package);
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
