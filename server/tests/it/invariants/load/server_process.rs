//! The server in its own process, so that its memory and open files can be measured separately from the test's.

use std::net::TcpListener;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use crate::configuration::{Process, inheriting, serve, spawn_server};
use crate::harness::{Client, Folder, TestShop, eventually};

pub struct ServerProcess {
    process: Process,
    pub client: Client,
    pub url: String,
    vars: Vec<(String, String)>,
    folder: Folder,
}

/// The most that a process used.
pub struct Peak {
    /// Resident memory.
    pub kib: u64,
    pub files: usize,
}

impl ServerProcess {
    /// Closes the shop and restarts it in a separate process.
    pub async fn spawn(shop: &mut TestShop) -> Self {
        shop.close().await;
        Self::start(shop.vars().collect())
    }

    pub fn start(vars: Vec<(String, String)>) -> Self {
        let folder = Folder::new();
        let (process, url) = serve_with(&folder, &vars);
        Self { process, client: Client::new(&url), url, vars, folder }
    }

    /// Starts a process that inherits a listening socket.
    pub fn start_on(socket: &TcpListener, vars: Vec<(String, String)>) -> Self {
        let folder = Folder::new();
        let own: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let command = inheriting(socket, folder.path(), &own);
        let (process, url, _) = tokio::task::block_in_place(|| spawn_server(command));
        Self { process, client: Client::new(&url), url, vars, folder }
    }

    /// Restarts it gracefully, and waits until it is ready. Its address must be fixed.
    pub async fn restart(&mut self) {
        self.terminate();
        assert!(self.wait_for_exit().await.success());
        self.process = serve_with(&self.folder, &self.vars).0;
        eventually("a process that is ready", async || (self.client.get("/readyz").await.status == 200).then_some(()))
            .await;
    }

    /// Resident set size in KiB.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse().unwrap()
    }

    /// Number of open file descriptors, including sockets.
    pub fn files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.process.0.id())).unwrap().count()
    }

    /// The most memory and open files while `work` runs, and the result of `work`.
    pub async fn peak_during<T>(&self, work: impl Future<Output = T>) -> (Peak, T) {
        let mut work = std::pin::pin!(work);
        let mut peak = Peak { kib: self.memory(), files: self.files() };
        loop {
            tokio::select! {
                done = &mut work => return (peak, done),
                () = tokio::time::sleep(Duration::from_millis(20)) => {
                    peak = Peak { kib: peak.kib.max(self.memory()), files: peak.files.max(self.files()) };
                }
            }
        }
    }

    pub fn terminate(&self) {
        let id = self.process.0.id().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    }

    /// Waits for the process to exit. The timeout exceeds the longest graceful shutdown.
    pub async fn wait_for_exit(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.process.0.try_wait().unwrap() {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "the shop did not exit within 60 seconds");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

fn serve_with(folder: &Folder, vars: &[(String, String)]) -> (Process, String) {
    let vars: Vec<(&str, &str)> = vars.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let (process, url, _) = tokio::task::block_in_place(|| serve(folder.path(), &vars));
    (process, url)
}
