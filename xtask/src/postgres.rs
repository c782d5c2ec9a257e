//! The black-box tests on a temporary PostgreSQL server.

use std::cmp::Reverse;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use fs_err as fs;

use crate::native;
use crate::process::{Failure, Finished, cannot_start, is_root, must_succeed, run};
use crate::programs::{Programs, has};
use crate::workspace::{Workspace, free_port, variable};

pub const PROGRAMS: Programs = Programs::new("PostgreSQL's initdb and pg_ctl", "postgresql", || programs().is_some());
/// The reverse proxies of the guide.
pub const NGINX: Programs = Programs::new("nginx", "nginx-light", || has("nginx")).only_for("the tests behind nginx");
pub const HAPROXY: Programs =
    Programs::new("haproxy", "haproxy", || has("haproxy")).only_for("the tests behind HAProxy");
pub const PGBOUNCER: Programs =
    Programs::new("pgbouncer", "pgbouncer", || has("pgbouncer")).only_for("the tests behind PgBouncer");
const DEBIAN: &str = "/usr/lib/postgresql";
/// The superuser of the cluster. As root also its operating system user, because PostgreSQL refuses to run as root.
const OWNER: &str = "postgres";

/// Linux's file system in memory.
const MEMORY: &str = "/dev/shm";
/// Room for the databases of the tests that run at once, and their write-ahead log.
const NEEDED_MEMORY_KB: u64 = 4 * 1024 * 1024;

/// What a temporary server is for.
#[derive(Clone, Copy)]
pub enum Purpose {
    /// Nothing has to last, so the files are in memory where there is room. Hundreds of databases are created and
    /// dropped: ext4 made this half of the tests' processor time.
    Tests,
    /// Production durability, and memory for a database of several gigabytes.
    Benchmarks,
}

impl Purpose {
    fn settings(self) -> &'static str {
        match self {
            Self::Tests => "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c max_connections=300",
            Self::Benchmarks => "-c shared_buffers=256MB -c max_wal_size=4GB",
        }
    }

    fn folder(self) -> PathBuf {
        match self {
            Self::Tests if has_room_in_memory() => MEMORY.into(),
            Self::Tests | Self::Benchmarks => env::temp_dir(),
        }
    }
}

fn has_room_in_memory() -> bool {
    let available = must_succeed(Command::new("df").args(["-k", "--output=avail", MEMORY])).ok();
    let available = available.and_then(|printed| printed.lines.last()?.trim().parse::<u64>().ok());
    available.is_some_and(|kb| kb >= NEEDED_MEMORY_KB)
}

/// Stops the server with the given command and removes the folder (`$0`) at the end of its standard input, which comes
/// when this program ends, even by a signal.
const CLEANUP_SCRIPT: &str = r#"trap '' HUP INT TERM; read -r _; "$@"; rm -rf "$0""#;

pub fn test(workspace: &Workspace) -> Result<Finished, Failure> {
    let cluster = Cluster::start(Purpose::Tests)?;
    native::test_on(workspace, &cluster.url(), &needed_programs()?)
}

/// A temporary PostgreSQL server, stopped on drop.
pub struct Cluster {
    port: u16,
    folder: PathBuf,
    keeper: Child,
}

impl Cluster {
    pub fn url(&self) -> String {
        format!("postgres://{OWNER}@{}/postgres", self.address())
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Runs a statement with psql and returns its rows, a line each.
    pub fn sql(&self, database: &str, statement: &str) -> Result<String, Failure> {
        let mut psql = as_owner(&needed_programs()?.join("psql"));
        psql.args(["-h", "127.0.0.1", "-p", &self.port.to_string(), "-d", database, "-qAt", "-c", statement]);
        Ok(must_succeed(&mut psql)?.lines.join("\n"))
    }

    /// The main process (postmaster).
    pub fn process(&self) -> Option<u32> {
        fs::read_to_string(self.folder.join("postmaster.pid")).ok()?.lines().next()?.parse().ok()
    }

    pub fn start(purpose: Purpose) -> Result<Self, Failure> {
        let programs = needed_programs()?;
        let folder = purpose.folder().join(format!("nudgelight-postgres-{}", std::process::id()));
        let cluster = Self { port: free_port()?, keeper: keep(&programs, &folder)?, folder: folder.clone() };
        // ICU collation, unlike SQLite's: code that depends on one sort order fails here.
        let mut initdb = as_owner(&programs.join("initdb"));
        initdb.arg("-D").arg(&folder).args(["--username", OWNER, "--auth", "trust", "--no-sync"]);
        initdb.args(["--encoding", "UTF8", "--locale", "C", "--locale-provider", "icu", "--icu-locale", "en-US"]);
        run(&mut initdb)?;

        let options = format!(
            "-p {} -k '{}' -c listen_addresses=127.0.0.1 {}",
            cluster.port,
            folder.display(),
            purpose.settings()
        );
        let mut start = as_owner(&programs.join("pg_ctl"));
        // Without a log file the server would inherit our standard output.
        start.arg("-D").arg(&folder).arg("-l").arg(folder.join("server.log"));
        run(start.args(["-o", &options, "-w", "start"]))?;
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
        .args(["-c", CLEANUP_SCRIPT])
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
    // A working folder that the owner may read.
    command.current_dir(env::temp_dir());
    command
}

fn needed_programs() -> Result<PathBuf, Failure> {
    programs().ok_or_else(|| Failure::new(PROGRAMS.missing().unwrap_or_default()))
}

/// The folder with PostgreSQL's programs. Debian has a folder for each version, outside of `PATH`.
pub fn programs() -> Option<PathBuf> {
    let mut versions: Vec<PathBuf> =
        fs::read_dir(DEBIAN).into_iter().flatten().flatten().map(|one| one.path()).collect();
    versions.sort_by_key(|version| Reverse(version.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok())));
    let path = variable("PATH").unwrap_or_default();
    let mut folders = versions.iter().map(|version| version.join("bin")).chain(env::split_paths(&path));
    folders.find(|folder| ["initdb", "pg_ctl"].iter().all(|program| folder.join(program).is_file()))
}
