//! HTTP load by wrk.

use std::path::PathBuf;
use std::process::Command;

use xtask::process::{Failure, stdout_of};
use xtask::programs;
use xtask::workspace::Workspace;

const CONNECTIONS: &str = "64";
/// One thread would be slower than the measured servers.
const THREADS: &str = "2";

pub struct Wrk {
    program: PathBuf,
    script: PathBuf,
}

/// Throughput and latencies (in microseconds) of one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub per_second: u64,
    pub p50: u64,
    pub p99: u64,
}

impl Wrk {
    pub fn find(workspace: &Workspace) -> Result<Self, Failure> {
        let script = workspace.root.join("bench/requests.lua");
        Ok(Self { program: programs::find_or_install("wrk", "wrk")?, script })
    }

    /// Requests `url` on 64 connections. A failed request fails the measurement.
    pub fn load(&self, url: &str, headers: &[&str], seconds: u32) -> Result<Load, Failure> {
        let (load, failed) = self.counted(url, headers, seconds)?;
        if failed > 0 {
            return Err(Failure::new(format!("{url}: {failed} requests failed")));
        }
        Ok(load)
    }

    /// Like [`Self::load`], but failed requests are allowed.
    pub fn load_ignoring_errors(&self, url: &str, headers: &[&str], seconds: u32) -> Result<(), Failure> {
        self.counted(url, headers, seconds).map(drop)
    }

    /// The load and the number of failed requests.
    fn counted(&self, url: &str, headers: &[&str], seconds: u32) -> Result<(Load, u64), Failure> {
        let mut command = Command::new(&self.program);
        command.args(["--threads", THREADS, "--connections", CONNECTIONS, "--latency", "--duration"]);
        command.arg(format!("{seconds}s")).arg("--script").arg(&self.script);
        for header in headers {
            command.args(["--header", header]);
        }
        let printed = stdout_of(command.arg(url)).ok_or_else(|| Failure::new(format!("wrk could not load {url}")))?;
        read(&printed).map_err(|cause| Failure::new(format!("{url}: {cause}")))
    }
}

/// The median of each figure.
pub fn median(rounds: &[Load]) -> Load {
    let middle = |figure: fn(&Load) -> u64| {
        let mut sorted: Vec<u64> = rounds.iter().map(figure).collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    };
    Load { per_second: middle(|load| load.per_second), p50: middle(|load| load.p50), p99: middle(|load| load.p99) }
}

/// Parses the line that the script prints at the end.
fn read(printed: &str) -> Result<(Load, u64), String> {
    let line = printed.lines().find_map(|line| line.strip_prefix("counted ")).ok_or("wrk printed no counts")?;
    let numbers: Vec<u64> = line.split(' ').filter_map(|number| number.parse().ok()).collect();
    let [answers, microseconds, p50, p99, failed] = numbers[..] else {
        return Err(format!("wrk counted {line}"));
    };
    let per_second = (answers * 1_000_000).checked_div(microseconds).unwrap_or_default();
    Ok((Load { per_second, p50, p99 }, failed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_failures_are_read_from_the_line_of_the_script() {
        let printed = "Running 2s test\ncounted 1000 2000000 150 900 3\n";
        assert_eq!(read(printed), Ok((Load { per_second: 500, p50: 150, p99: 900 }, 3)));
        assert!(read("Running 2s test\n").is_err());
    }

    #[test]
    fn the_median_is_taken_of_each_figure() {
        let load = |per_second, p50, p99| Load { per_second, p50, p99 };
        let rounds = [load(3, 10, 500), load(1, 30, 100), load(2, 20, 300)];
        assert_eq!(median(&rounds), load(2, 20, 300));
    }
}
