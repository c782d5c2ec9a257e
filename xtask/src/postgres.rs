//! The black-box tests once more, on a PostgreSQL that is made for them and gone afterwards.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::native::{self, LongForm};
use crate::process::{Failure, Finished, cannot_start, is_root, must_succeed};
use crate::programs::Programs;
use crate::workspace::{Workspace, free_port, variable};

pub const PROGRAMS: Programs = Programs {
    names: "PostgreSQL's initdb and pg_ctl",
    package: "postgresql",
    are_installed: || programs().is_some(),
    only_for: None,
};
const DEBIAN: &str = "/usr/lib/postgresql";
/// The superuser of the cluster and, for who runs this as root, its owner: PostgreSQL refuses to run as root.
const OWNER: &str = "postgres";

/// Nothing here has to survive a power cut.
const LOOSE: &str = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off";
/// As a shop runs it, with room for a database of several gigabytes.
const LASTING: &str = "-c shared_buffers=256MB -c max_wal_size=4GB";

/// Waits for the end of its standard input, which comes when this program ends, be it by a signal. Then it stops the
/// server with the command it was given, and removes the folder, which is its name.
const KEEPER: &str = r#"trap '' HUP INT TERM; read -r _; "$@"; rm -rf "$0""#;

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let programs = needed_programs()?;
    let cluster = Cluster::start(&programs, LOOSE)?;
    native::test_on(workspace, &cluster.url(), &programs)
}

/// The laws of the long form that have a database to do with.
pub fn prove(workspace: &Workspace, form: &LongForm) -> Result<Finished, Failure> {
    let programs = needed_programs()?;
    let cluster = Cluster::start(&programs, LOOSE)?;
    native::prove(workspace, &LongForm { database_url: Some(&cluster.url()), ..*form })
}

/// A PostgreSQL that lives for one run.
pub struct Cluster {
    port: u16,
    folder: PathBuf,
    keeper: Child,
}

impl Cluster {
    /// One that keeps what it was told to keep, for a measurement.
    pub fn lasting() -> Result<Self, Failure> {
        Self::start(&needed_programs()?, LASTING)
    }

    pub fn url(&self) -> String {
        format!("postgres://{OWNER}@127.0.0.1:{}/postgres", self.port)
    }

    /// The process whose children serve the connections.
    pub fn process(&self) -> Option<u32> {
        fs::read_to_string(self.folder.join("postmaster.pid")).ok()?.lines().next()?.parse().ok()
    }

    fn start(programs: &Path, settings: &str) -> Result<Self, Failure> {
        let folder = env::temp_dir().join(format!("nudgelight-postgres-{}", std::process::id()));
        let cluster = Self { port: free_port()?, keeper: keep(programs, &folder)?, folder: folder.clone() };
        // Words are sorted as in a dictionary, unlike in SQLite: what leans on one order fails here.
        let mut initdb = as_owner(&programs.join("initdb"));
        initdb.arg("-D").arg(&folder).args(["--username", OWNER, "--auth", "trust", "--no-sync"]);
        initdb.args(["--encoding", "UTF8", "--locale", "C", "--locale-provider", "icu", "--icu-locale", "en-US"]);
        must_succeed(&mut initdb)?;

        let options = format!("-p {} -k '{}' -c listen_addresses=127.0.0.1 {settings}", cluster.port, folder.display());
        let mut start = as_owner(&programs.join("pg_ctl"));
        // With a log of its own the server does not hold on to our standard output.
        start.arg("-D").arg(&folder).arg("-l").arg(folder.join("server.log"));
        must_succeed(start.args(["-o", &options, "-w", "start"]))?;
        Ok(cluster)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn keep(programs: &Path, folder: &Path) -> Result<Child, Failure> {
    let mut stop = as_owner(&programs.join("pg_ctl"));
    stop.arg("-D").arg(folder).args(["-m", "immediate", "-w", "stop"]);
    Command::new("sh")
        .args(["-c", KEEPER])
        .arg(folder)
        .arg(stop.get_program())
        .args(stop.get_args())
        .current_dir(env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| cannot_start("sh", &error))
}

fn as_owner(program: &Path) -> Command {
    let mut command = Command::new(program);
    if is_root() {
        command = Command::new("runuser");
        command.args(["-u", OWNER, "--"]).arg(program);
    }
    // A folder that the owner may enter as well.
    command.current_dir(env::temp_dir());
    command
}

fn needed_programs() -> Result<PathBuf, Failure> {
    programs().ok_or_else(|| Failure::new(PROGRAMS.missing().unwrap_or_default()))
}

/// The folder with PostgreSQL's programs: Debian keeps them out of `PATH`, each version in a folder of its own.
fn programs() -> Option<PathBuf> {
    let versions = fs::read_dir(DEBIAN).into_iter().flatten().flatten().map(|entry| entry.path());
    let newest = versions.filter(|version| has_programs(&version.join("bin"))).max_by_key(|path| number(path));
    newest.map(|version| version.join("bin")).or_else(|| {
        let path = variable("PATH")?;
        env::split_paths(&path).find(|folder| has_programs(folder))
    })
}

fn has_programs(folder: &Path) -> bool {
    ["initdb", "pg_ctl"].iter().all(|program| folder.join(program).is_file())
}

fn number(version: &Path) -> u32 {
    version.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(number(Path::new("/usr/lib/postgresql/15")) > number(Path::new("/usr/lib/postgresql/9")));
        assert_eq!(number(Path::new("/usr/lib/postgresql/share")), 0);
    }
}
