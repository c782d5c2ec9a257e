//! Reverse proxies with the configuration from the guide, without TLS and with the test's addresses.

use std::fs::File;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::folder::Folder;
use super::skip::skip;

pub const NGINX: &str = "/usr/sbin/nginx";
pub const HAPROXY: &str = "/usr/sbin/haproxy";
const LOG: &str = "log";
const GUIDE: &str = include_str!("../../../../docs/guide/operate.md");

/// A running proxy, stopped on drop.
pub struct Proxy {
    process: Child,
    port: u16,
    folder: Folder,
}

/// Whether a proxy is installed. If not, the test is skipped.
pub fn is_installed_or_skip(program: &str) -> bool {
    let is_installed = Path::new(program).exists();
    if !is_installed {
        skip(&format!("needs {program}"));
    }
    is_installed
}

impl Proxy {
    /// nginx in front of one process.
    pub fn nginx(shop: &str) -> Self {
        Self::start_nginx(|port| with_address(&server_block(port), "127.0.0.1:3000", shop))
    }

    /// nginx in front of two processes.
    pub fn nginx_before_two(shops: [&str; 2]) -> Self {
        Self::start_nginx(|port| {
            let server = server_block(port);
            let (_, server) = server.split_once("limit_conn_zone").unwrap();
            format!(
                "{}limit_conn_zone{server}",
                with_two(&block("nginx", 1), ["10.0.0.11:3000", "10.0.0.12:3000"], shops)
            )
        })
    }

    /// HAProxy in front of two processes.
    pub fn haproxy_before_two(shops: [&str; 2]) -> Self {
        Self::start_haproxy(|port| {
            let listening = with_line(&block("haproxy", 0), "bind ", &format!("bind 127.0.0.1:{port}"));
            with_two(&listening, ["10.0.0.11:3000", "10.0.0.12:3000"], shops)
        })
    }

    /// HAProxy that leads to the primary of two PostgreSQL servers.
    pub fn to_primary_of(servers: [&str; 2]) -> Self {
        Self::start_haproxy(|port| {
            let listening = with_line(&block("haproxy", 1), "bind ", &format!("bind 127.0.0.1:{port}"));
            with_two(&listening, ["10.0.0.21:5432", "10.0.0.22:5432"], servers)
        })
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// What it logged.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join(LOG)).unwrap()
    }

    fn start_nginx(site: impl Fn(u16) -> String) -> Self {
        Self::start(NGINX, &["-p", ".", "-c"], |port, folder| {
            let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map(|kind| format!("{kind}_temp_path {folder}/{kind};"))
                .join("\n");
            let site = site(port);
            format!(
                "daemon off;\nuser root;\nworker_processes 2;\nworker_rlimit_nofile 16384;\npid {folder}/pid;\n\
                 error_log stderr;\nevents {{ worker_connections 8192; }}\n\
                 http {{\naccess_log off;\n{temporary}\n{site}\n}}\n"
            )
        })
    }

    fn start_haproxy(sections: impl Fn(u16) -> String) -> Self {
        Self::start(HAPROXY, &["-db", "-f"], |port, _| sections(port))
    }

    /// Starts `program` with the path of its configuration as the last argument.
    fn start(program: &str, arguments: &[&str], configuration: impl FnOnce(u16, &str) -> String) -> Self {
        let folder = Folder::new();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let path = folder.path().join("proxy.conf");
        std::fs::write(&path, configuration(port, folder.path().to_str().unwrap())).unwrap();
        let mut command = Command::new(program);
        let log = File::create(folder.path().join(LOG)).unwrap();
        command.args(arguments).arg(&path).current_dir(folder.path()).stdout(Stdio::null()).stderr(log);
        let mut proxy = Self { process: command.spawn().unwrap(), port, folder };
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(proxy.process.try_wait().unwrap().is_none(), "{program} rejects its configuration");
            assert!(begun.elapsed() < Duration::from_secs(60), "{program} did not start within a minute");
            std::thread::sleep(Duration::from_millis(10));
        }
        proxy
    }
}

/// The guide's configuration of nginx for one process, without TLS.
fn server_block(port: u16) -> String {
    let site = with_line(&block("nginx", 0), "listen ", &format!("listen 127.0.0.1:{port};"));
    site.lines().filter(|line| !line.trim_start().starts_with("ssl_")).map(|line| format!("{line}\n")).collect()
}

/// A code block of the guide in this language; the first is 0.
fn block(language: &str, number: usize) -> String {
    let blocks = GUIDE.split(&format!("```{language}\n")).nth(number + 1);
    blocks.unwrap().split("```").next().unwrap().to_owned()
}

/// Replaces the line that begins with `start`.
fn with_line(text: &str, start: &str, line: &str) -> String {
    let old = text.lines().find(|line| line.trim_start().starts_with(start)).unwrap();
    text.replace(old, line)
}

fn with_two(text: &str, olds: [&str; 2], news: [&str; 2]) -> String {
    with_address(&with_address(text, olds[0], news[0]), olds[1], news[1])
}

fn with_address(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "the guide's configuration has no {old}");
    text.replace(old, new.trim_start_matches("http://"))
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // SIGKILL would leave nginx's worker processes running.
        let _ = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        let _ = self.process.wait();
    }
}
