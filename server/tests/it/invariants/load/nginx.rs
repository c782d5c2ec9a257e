//! nginx as a reverse proxy, with the configuration from the guide.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::Folder;

const PROGRAM: &str = "/usr/sbin/nginx";
const GUIDE: &str = include_str!("../../../../../docs/guide/operate.md");

pub struct Nginx {
    process: Child,
    pub url: String,
    _folder: Folder,
}

impl Nginx {
    pub fn is_installed() -> bool {
        Path::new(PROGRAM).exists()
    }

    pub fn in_front_of(shop: &str) -> Self {
        let folder = Folder::new();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let path = folder.path().join("nginx.conf");
        std::fs::write(&path, configuration(folder.path(), port, shop)).unwrap();
        let mut command = Command::new(PROGRAM);
        command.arg("-c").arg(&path).arg("-p").arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let nginx =
            Self { process: command.spawn().unwrap(), url: format!("http://127.0.0.1:{port}"), _folder: folder };
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(10), "nginx did not start within 10 seconds");
            std::thread::sleep(Duration::from_millis(10));
        }
        nginx
    }
}

/// The guide's server block without TLS, embedded in a configuration that can run in a test.
fn configuration(folder: &Path, port: u16, shop: &str) -> String {
    let block = GUIDE.split("```nginx\n").nth(1).unwrap().split("```").next().unwrap();
    let block: Vec<String> = block
        .lines()
        .filter(|line| !line.trim_start().starts_with("ssl_"))
        .map(|line| match line.trim_start().starts_with("listen ") {
            true => format!("  listen 127.0.0.1:{port};"),
            false => line.replace("127.0.0.1:3000", shop.trim_start_matches("http://")),
        })
        .collect();
    let (folder, block) = (folder.display(), block.join("\n"));
    let temporary =
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|kind| format!("{kind}_temp_path {folder}/{kind};"));
    format!(
        "daemon off;\nuser root;\nworker_processes 2;\nworker_rlimit_nofile 16384;\npid {folder}/pid;\n\
         error_log {folder}/error.log;\nevents {{ worker_connections 8192; }}\n\
         http {{\naccess_log off;\n{}\n{block}\n}}\n",
        temporary.join("\n")
    )
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // SIGKILL would leave the worker processes running.
        let _ = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        let _ = self.process.wait();
    }
}
