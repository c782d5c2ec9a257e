//! The programs of the setup: those of the system, and Patroni from PyPI.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use xtask::postgres;
use xtask::process::{Failure, is_root, run, stdout_of};
use xtask::programs::{find, has};
use xtask::workspace::Workspace;

/// Older ones lose acknowledged orders: `deploy/ha/patroni.yml`.
const OLDEST_PATRONI: [u32; 3] = [3, 0, 3];
const PATRONI: &str = "4.1.5";
const PSYCOPG: &str = "3.3.9";
/// The system's Python, because the user of the databases can't read one in root's home.
const PYTHON: &str = "/usr/bin/python3";

pub struct Programs {
    pub etcd: PathBuf,
    pub haproxy: PathBuf,
    /// The folder with PostgreSQL's programs.
    pub postgres: PathBuf,
    /// The folder with `patroni` and `patronictl`.
    pub patroni: PathBuf,
}

pub fn find_all(workspace: &Workspace) -> Result<Programs, Failure> {
    let postgres = postgres::programs().ok_or_else(|| missing("PostgreSQL", "postgresql"))?;
    let etcd = find("etcd").ok_or_else(|| missing("etcd", "etcd-server"))?;
    let haproxy = find("haproxy").ok_or_else(|| missing("haproxy", "haproxy"))?;
    Ok(Programs { etcd, haproxy, postgres, patroni: find_patroni(workspace)? })
}

/// Why network namespaces and mounts are impossible.
pub fn missing_for_root() -> Option<&'static str> {
    let is_possible = is_root() && has("ip") && has("setpriv");
    (!is_possible)
        .then_some("cut-network and full-disk need root, `ip` and `setpriv` (Debian: apt-get install iproute2)")
}

fn missing(program: &str, package: &str) -> Failure {
    Failure::new(format!("{program} is missing (Debian: apt-get install {package})"))
}

/// The folder of the one on the `PATH`, if it is new enough, or of a virtual environment in the cache.
fn find_patroni(workspace: &Workspace) -> Result<PathBuf, Failure> {
    let installed = find("patroni").filter(|patroni| is_new_enough(patroni));
    if let Some(folder) = installed.as_deref().and_then(Path::parent) {
        return Ok(folder.to_path_buf());
    }
    let environment = workspace.tools.join(format!("patroni-{PATRONI}"));
    if !environment.join("bin/patronictl").is_file() {
        install(&environment)?;
    }
    Ok(environment.join("bin"))
}

fn is_new_enough(patroni: &Path) -> bool {
    // As in “patroni 4.1.5”.
    let version = stdout_of(Command::new(patroni).arg("--version")).unwrap_or_default();
    let numbers = version.rsplit(' ').next().unwrap_or_default().split('.').map_while(|number| number.parse().ok());
    numbers.collect::<Vec<u32>>().as_slice() >= OLDEST_PATRONI.as_slice()
}

fn install(environment: &Path) -> Result<(), Failure> {
    println!("Installing Patroni {PATRONI} from PyPI in {}", environment.display());
    let system = Some(PathBuf::from(PYTHON)).filter(|python| python.is_file());
    let python = system.or_else(|| find("python3")).ok_or_else(|| missing("python3", "python3-venv"))?;
    let packages = [format!("patroni[etcd3]=={PATRONI}"), format!("psycopg[binary]=={PSYCOPG}")];
    let mut pip = Command::new(environment.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(packages);
    let installed = run(Command::new(python).args(["-m", "venv"]).arg(environment)).and_then(|()| run(&mut pip));
    installed.inspect_err(|_| {
        // Half an installation would be taken for a whole one.
        let _ = fs::remove_dir_all(environment);
    })
}
