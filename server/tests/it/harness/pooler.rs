//! PgBouncer, a connection pooler in front of PostgreSQL.

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::cluster::{OWNER, as_owner};
use super::folder::Folder;
use super::{Cluster, is_installed_or_skip};

const PGBOUNCER: &str = "/usr/sbin/pgbouncer";

/// A running pooler, stopped on drop.
pub struct Pooler {
    process: Child,
    port: u16,
    /// Dropped last.
    _folder: Folder,
}

impl Pooler {
    /// None if it is not installed, and then the test is skipped.
    pub fn start(cluster: &Cluster, mode: &str) -> Option<Self> {
        if !is_installed_or_skip(PGBOUNCER) {
            return None;
        }
        let folder = Folder::new();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let (_, server_port) =
            cluster.address().rsplit_once(':').map(|(ip, port)| (ip.to_owned(), port.to_owned())).unwrap();
        // The parameters of the guide.
        let configuration = format!(
            "[databases]\n* = host=127.0.0.1 port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n\
             listen_port = {port}\nunix_socket_dir =\nauth_type = trust\nauth_file = {folder}/users\n\
             pool_mode = {mode}\ndefault_pool_size = 52\nignore_startup_parameters = extra_float_digits\n",
            folder = folder.path().display(),
        );
        let path = folder.path().join("pgbouncer.ini");
        std::fs::write(&path, configuration).unwrap();
        std::fs::write(folder.path().join("users"), format!("\"{OWNER}\" \"\"\n")).unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755)).unwrap();
        let mut command = as_owner(PGBOUNCER.as_ref(), &[path.to_str().unwrap()]);
        let process = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut pooler = Self { process, port, _folder: folder };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(pooler.process.try_wait().unwrap().is_none(), "PgBouncer rejects its configuration");
            assert!(begun.elapsed() < Duration::from_secs(60), "PgBouncer did not start within a minute");
            std::thread::sleep(Duration::from_millis(10));
        }
        Some(pooler)
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        // At once, without waiting for clients.
        let _ = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        let _ = self.process.wait();
    }
}
