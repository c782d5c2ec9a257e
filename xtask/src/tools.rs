//! Tools from crates.io: wasm-pack and wasm-bindgen for the browser packages, cargo-deny for dependencies. Installed once
//! per user and version.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::process::{Failure, cargo, run};
use crate::workspace::Workspace;

const WASM_PACK: &str = "0.15.1";
const CARGO_DENY: &str = "0.20.2";

/// A crate at one version, in a folder of its own.
struct Tool {
    package: &'static str,
    version: String,
    /// The programs to install.
    programs: &'static [&'static str],
    /// Further arguments of `cargo install`.
    arguments: &'static [&'static str],
}

impl Tool {
    fn folder(&self, workspace: &Workspace) -> PathBuf {
        workspace.tools.join(format!("{}-{}/bin", self.package, self.version))
    }

    fn is_installed(&self, workspace: &Workspace) -> bool {
        let folder = self.folder(workspace);
        self.programs.iter().all(|program| folder.join(format!("{program}{EXE_SUFFIX}")).is_file())
    }

    /// A debug build without symbols and run-time checks, because optimizing takes minutes. A separate target folder allows
    /// parallel builds of the workspace.
    fn install(&self, workspace: &Workspace, build: &Path) -> Result<(), Failure> {
        let mut command = cargo(&std::env::temp_dir(), "install --locked --debug --version");
        command
            .args([self.version.as_str(), self.package])
            .args(self.programs.iter().flat_map(|program| ["--bin", program]))
            .args(self.arguments)
            .arg("--root")
            .arg(self.folder(workspace).with_file_name(""))
            .arg("--target-dir")
            .arg(build)
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("CARGO_PROFILE_DEV_DEBUG_ASSERTIONS", "false")
            .env("CARGO_PROFILE_DEV_OVERFLOW_CHECKS", "false")
            .env("CARGO_INCREMENTAL", "0")
            .env_remove("CARGO_TARGET_DIR");
        run(&mut command)
    }
}

/// Installs the missing build tools.
pub fn install(workspace: &Workspace) -> Result<(), Failure> {
    install_missing(workspace, &build_tools(workspace)?)
}

fn install_missing(workspace: &Workspace, tools: &[Tool]) -> Result<(), Failure> {
    let missing: Vec<&Tool> = tools.iter().filter(|tool| !tool.is_installed(workspace)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let build = workspace.tools.join("build");
    missing.iter().try_for_each(|tool| tool.install(workspace, &build))?;
    // The build output would waste disk space.
    Ok(fs::remove_dir_all(&build)?)
}

/// Folders for the front of `PATH`, so that the locked versions are used.
pub fn folders(workspace: &Workspace) -> Result<Vec<PathBuf>, Failure> {
    Ok(build_tools(workspace)?.iter().map(|tool| tool.folder(workspace)).collect())
}

/// cargo-deny. Installed on first use, because only the checks need it and it takes 90 s to compile.
pub fn cargo_deny(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let (package, programs) = ("cargo-deny", &["cargo-deny"]);
    let tool = Tool { package, version: CARGO_DENY.to_owned(), programs, arguments: &[] };
    let program = tool.folder(workspace).join(package);
    install_missing(workspace, &[tool])?;
    Ok(program)
}

fn build_tools(workspace: &Workspace) -> Result<[Tool; 2], Failure> {
    let bindgen = Tool {
        package: "wasm-bindgen-cli",
        version: locked_version(workspace, "wasm-bindgen")?,
        programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
        // The default feature is TLS, which only remote browsers need.
        arguments: &["--no-default-features"],
    };
    let pack = Tool { package: "wasm-pack", version: WASM_PACK.to_owned(), programs: &["wasm-pack"], arguments: &[] };
    Ok([bindgen, pack])
}

/// The locked version of a package. wasm-bindgen and its tool must have the same version.
fn locked_version(workspace: &Workspace, package: &str) -> Result<String, Failure> {
    let lock = workspace.read("Cargo.lock")?;
    let head = format!("name = \"{package}\"\nversion = \"");
    let version = lock.split_once(&head).and_then(|(_, rest)| rest.split('"').next());
    version.map(str::to_owned).ok_or_else(|| Failure::new(format!("{package} is not in Cargo.lock")))
}
