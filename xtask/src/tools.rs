//! Tools from crates.io: wasm-pack and wasm-bindgen for the browser packages, cargo-deny for dependencies. Installed once
//! per user and version.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::process::{Failure, cargo, must_succeed};
use crate::workspace::Workspace;

const WASM_PACK: &str = "0.15.1";
const CARGO_DENY: &str = "0.20.2";

/// A crate at one version, in a folder of its own.
struct Tool {
    package: &'static str,
    version: String,
    /// The programs to install.
    programs: &'static [&'static str],
    /// Feature flags, if the default features are not needed.
    features: &'static [&'static str],
}

impl Tool {
    fn root(&self, workspace: &Workspace) -> PathBuf {
        workspace.tools.join(format!("{}-{}", self.package, self.version))
    }

    fn folder(&self, workspace: &Workspace) -> PathBuf {
        self.root(workspace).join("bin")
    }

    fn is_there(&self, workspace: &Workspace) -> bool {
        let is_file = |program: &&str| {
            self.folder(workspace).join(format!("{program}{}", std::env::consts::EXE_SUFFIX)).is_file()
        };
        self.programs.iter().all(is_file)
    }
}

/// Installs the missing build tools.
pub fn install(workspace: &Workspace) -> Result<(), Failure> {
    install_missing(workspace, tools(workspace)?)
}

/// cargo-deny. Installed on first use, because only the checks need it and it takes 90 s to compile.
pub fn cargo_deny(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let tool =
        || Tool { package: "cargo-deny", version: CARGO_DENY.to_owned(), programs: &["cargo-deny"], features: &[] };
    install_missing(workspace, vec![tool()])?;
    Ok(tool().folder(workspace).join("cargo-deny"))
}

fn install_missing(workspace: &Workspace, tools: Vec<Tool>) -> Result<(), Failure> {
    let missing: Vec<Tool> = tools.into_iter().filter(|tool| !tool.is_there(workspace)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let build = workspace.tools.join("build");
    for tool in &missing {
        must_succeed(&mut installation(workspace, tool, &build))?;
    }
    // The build output would waste disk space.
    fs::remove_dir_all(&build).map_err(|error| Failure::new(format!("cannot remove {}: {error}", build.display())))
}

/// Folders for the front of `PATH`, so that the locked versions are used.
pub fn folders(workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    Ok(tools(workspace)?.iter().map(|tool| tool.folder(workspace)).collect())
}

/// A debug build without symbols and run-time checks, because optimizing takes minutes. A separate target folder allows
/// parallel builds of the workspace.
fn installation(workspace: &Workspace, tool: &Tool, build: &std::path::Path) -> Command {
    let mut command = cargo();
    command
        .args(["install", "--locked", "--debug", tool.package, "--version", &tool.version])
        .args(tool.features)
        .args(tool.programs.iter().flat_map(|program| ["--bin", program]))
        .arg("--root")
        .arg(tool.root(workspace))
        .arg("--target-dir")
        .arg(build)
        .current_dir(std::env::temp_dir())
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false")
        .env("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false")
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("CARGO_TARGET_DIR");
    command
}

fn tools(workspace: &Workspace) -> Result<Vec<Tool>, Failure> {
    let lock = workspace.root.join("Cargo.lock");
    let text =
        fs::read_to_string(&lock).map_err(|error| Failure::new(format!("cannot read {}: {error}", lock.display())))?;
    let bindgen =
        locked_version(&text, "wasm-bindgen").ok_or_else(|| Failure::new("wasm-bindgen is not in Cargo.lock"))?;
    Ok(vec![
        Tool {
            package: "wasm-bindgen-cli",
            version: bindgen,
            programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
            // The default feature is TLS, which only remote browsers need.
            features: &["--no-default-features"],
        },
        Tool { package: "wasm-pack", version: WASM_PACK.to_owned(), programs: &["wasm-pack"], features: &[] },
    ])
}

/// The locked version of a package. wasm-bindgen and its tool must have the same version.
fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name).skip(1);
    let version = lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::locked_version;

    #[test]
    fn the_locked_version_is_the_one_of_the_package_with_exactly_that_name() {
        let lock = "[[package]]\nname = \"wasm-bindgen-macro\"\nversion = \"0.2.1\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").unwrap(), "0.2.129");
        assert_eq!(locked_version(lock, "wasm-pack"), None);
    }
}
