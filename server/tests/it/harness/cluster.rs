//! PostgreSQL server that a test can stop, start and make read-only.
//!
//! `TEST_POSTGRES_PROGRAMS` is the folder with its binaries. Tests that need this server are skipped where it is not set.

use std::fs::{OpenOptions, Permissions};
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use sqlx::{AnyConnection, Connection as _, Executor as _};

use super::folder::Folder;
use super::skip::skip;
use super::wait::eventually;

/// PostgreSQL rejects running as root. Under root, its programs run as this user.
pub const OWNER: &str = "postgres";

/// Cleanup script: stops the server and deletes its folder when standard input closes, even if the tests are killed.
const CLEANUP_SCRIPT: &str = r#"trap '' HUP INT TERM; read -r _; "$@"; rm -rf "$0""#;

pub struct Cluster {
    programs: PathBuf,
    folder: PathBuf,
    port: u16,
    cleanup: Child,
}

impl Cluster {
    /// A new server. None if its programs are missing, and then the test is skipped.
    pub fn start() -> Option<Self> {
        let Some(programs) = programs() else {
            skip("needs PostgreSQL's programs");
            return None;
        };
        let cluster = Self::without_data(programs);
        let folder = text(&cluster.folder);
        cluster
            .run("initdb", &["-D", folder, "--username", OWNER, "--auth", "trust", "--no-sync", "--encoding", "UTF8"]);
        cluster.starts();
        Some(cluster)
    }

    /// A new server that replicates this one.
    pub fn standby(&self) -> Self {
        let standby = Self::without_data(self.programs.clone());
        standby.replicates(self);
        standby
    }

    /// Starts this stopped server as a standby, with a copy of the primary's data.
    pub fn replicates(&self, primary: &Self) {
        let _ = std::fs::remove_dir_all(&self.folder);
        let from = format!("host=127.0.0.1 port={} user={OWNER}", primary.port);
        let into = ["-D", text(&self.folder), "--write-recovery-conf", "--checkpoint", "fast", "--no-sync"];
        self.run("pg_basebackup", &[&["-d", from.as_str()], into.as_slice()].concat());
        self.starts();
    }

    /// Copies this server's changes into a folder as they are made, as in the guide, beginning with a copy of its data.
    pub fn receives_wal(&self) -> WalReceiver {
        let folder = Folder::new();
        let (base, wal) = (folder.path().join("base"), folder.path().join("wal"));
        std::fs::create_dir(&wal).unwrap();
        for path in [folder.path(), &wal] {
            std::fs::set_permissions(path, Permissions::from_mode(0o777)).unwrap();
        }
        let from = format!("host=127.0.0.1 port={} user={OWNER}", self.port);
        let slot = ["-d", &from, "--slot", "copy"];
        self.run("pg_receivewal", &[&slot[..], &["--create-slot", "--if-not-exists"]].concat());
        let stream = [&slot[..], &["--synchronous", "--no-loop", "-D", text(&wal)]].concat();
        let mut command = as_owner(&self.programs.join("pg_receivewal"), &stream);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        self.run("pg_basebackup", &["-d", &from, "-D", text(&base), "--checkpoint", "fast", "--no-sync"]);
        WalReceiver { process, base, wal, _folder: folder }
    }

    /// A new server with the data of a copy, after its recovery.
    pub async fn restored_from(&self, copy: &WalReceiver) -> Self {
        let restored = Self::without_data(self.programs.clone());
        let copied = Command::new("cp").arg("-a").arg(&copy.base).arg(&restored.folder).status().unwrap();
        assert!(copied.success());
        let wal = copy.wal.display();
        // It takes connections only after the recovery.
        let recovery = format!("restore_command = 'cp {wal}/%f %p || cp {wal}/%f.partial %p'\nhot_standby = off\n");
        let mut settings = OpenOptions::new().append(true).open(restored.folder.join("postgresql.auto.conf")).unwrap();
        settings.write_all(recovery.as_bytes()).unwrap();
        std::fs::write(restored.folder.join("recovery.signal"), "").unwrap();
        restored.starts();
        // `pg_ctl` waits for the recovery of a hot standby only.
        eventually("a recovered server", async || AnyConnection::connect(&restored.url()).await.ok()).await;
        restored
    }

    fn without_data(programs: PathBuf) -> Self {
        let folder = std::env::temp_dir().join(format!("shop-postgres-{}", server::infra::random::new_id()));
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let stop = as_owner(&programs.join("pg_ctl"), &["-D", text(&folder), "-m", "immediate", "-w", "stop"]);
        let cleanup = Command::new("sh")
            .args(["-c", CLEANUP_SCRIPT])
            .arg(&folder)
            .arg(stop.get_program())
            .args(stop.get_args())
            .current_dir(std::env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self { programs, folder, port, cleanup }
    }

    pub fn url(&self) -> String {
        self.url_by(&self.address())
    }

    /// Connection URL of the same database through another address, for example a TCP proxy.
    pub fn url_by(&self, address: &str) -> String {
        format!("postgres://{OWNER}@{address}/postgres")
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub fn starts(&self) {
        let options = format!("-p {} -k '{}' -c listen_addresses=127.0.0.1", self.port, self.folder.display());
        let log = self.folder.join("server.log");
        self.run("pg_ctl", &["-D", text(&self.folder), "-l", text(&log), "-o", &options, "-w", "start"]);
    }

    /// Simulates a power failure: connections break, and nothing is flushed to disk.
    pub fn crashes(&self) {
        self.run("pg_ctl", &["-D", text(&self.folder), "-m", "immediate", "-w", "stop"]);
    }

    /// Stops as planned: the standby gets everything first.
    pub fn stops(&self) {
        self.run("pg_ctl", &["-D", text(&self.folder), "-m", "fast", "-w", "stop"]);
    }

    /// Makes this standby a primary.
    pub fn is_promoted(&self) {
        self.run("pg_ctl", &["-D", text(&self.folder), "-w", "promote"]);
    }

    /// Makes all sessions reject writes, including existing ones, like a primary that was demoted to a replica.
    pub async fn becomes_read_only(&self) {
        self.execute_sql("ALTER SYSTEM SET default_transaction_read_only = on").await;
        self.execute_sql("SELECT pg_reload_conf()").await;
    }

    pub async fn becomes_writable(&self) {
        self.execute_sql("ALTER SYSTEM RESET default_transaction_read_only").await;
        self.execute_sql("SELECT pg_reload_conf()").await;
    }

    pub async fn execute_sql(&self, statement: &'static str) {
        let mut connection = AnyConnection::connect(&self.url()).await.unwrap();
        connection.execute(statement).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Takes only encrypted connections of clients with a certificate of this authority, from now on.
    pub async fn encrypts(&self, certificate: &str, key: &str, authority: &str) {
        for (name, pem) in [("server.crt", certificate), ("server.key", key), ("root.crt", authority)] {
            let mut input =
                as_owner(Path::new("sh"), &["-c", "umask 077; cat > \"$0\"", text(&self.folder.join(name))])
                    .stdin(Stdio::piped())
                    .spawn()
                    .unwrap();
            input.stdin.take().unwrap().write_all(pem.as_bytes()).unwrap();
            assert!(input.wait().unwrap().success());
        }
        self.execute_sql("ALTER SYSTEM SET ssl = on").await;
        self.execute_sql("ALTER SYSTEM SET ssl_ca_file = 'root.crt'").await;
        std::fs::write(
            self.folder.join("pg_hba.conf"),
            "hostssl all all 127.0.0.1/32 cert\nhostssl all all ::1/128 cert\n",
        )
        .unwrap();
        self.stops();
        self.starts();
    }

    /// Logs every statement from now on.
    pub async fn logs_statements(&self) {
        self.execute_sql("ALTER SYSTEM SET log_line_prefix = '%p %n '").await;
        self.execute_sql("ALTER SYSTEM SET log_statement = 'all'").await;
        self.execute_sql("SELECT pg_reload_conf()").await;
    }

    /// The server's log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.join("server.log")).unwrap()
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = as_owner(&self.programs.join(program), arguments);
        let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// A copy of a server's changes, which ends on drop.
pub struct WalReceiver {
    process: Child,
    base: PathBuf,
    wal: PathBuf,
    /// Dropped last.
    _folder: Folder,
}

impl Drop for WalReceiver {
    fn drop(&mut self) {
        // `runuser` passes this signal on.
        let _ = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        let _ = self.process.wait();
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if let Some(mut input) = self.cleanup.stdin.take() {
            let _ = input.write_all(b"\n");
        }
        let _ = self.cleanup.wait();
    }
}

pub fn as_owner(program: &Path, arguments: &[&str]) -> Command {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    let mut command = Command::new(program);
    if is_root {
        command = Command::new("runuser");
        command.args(["-u", OWNER, "--"]).arg(program);
    }
    // The current folder may be inaccessible to the other user.
    command.args(arguments).current_dir(std::env::temp_dir());
    command
}

#[expect(clippy::disallowed_methods, reason = "a test setting, not shop configuration")]
fn programs() -> Option<PathBuf> {
    std::env::var_os("TEST_POSTGRES_PROGRAMS").map(PathBuf::from)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
