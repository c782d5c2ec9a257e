//! What a measurement was made on, and when.

use std::fs;
use std::process::Command;
use std::thread;

use crate::process::stdout_of;

/// The day, the processor, the memory and the system.
pub fn described() -> String {
    let day = stdout_of(Command::new("date").args(["-u", "+%Y-%m-%d"])).unwrap_or_default();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let processor = value("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown processor".to_owned());
    let memory = value("/proc/meminfo", "MemTotal").and_then(|text| text.split(' ').next()?.parse::<u64>().ok());
    let memory = memory.map_or_else(String::new, |kibibytes| format!(", {} GiB", kibibytes / 1024 / 1024));
    let system = value("/etc/os-release", "PRETTY_NAME").unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{day}, {cores} cores of {processor}{memory}, {}", system.trim_matches('"'))
}

/// Behind the name in a file of names and values.
fn value(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    let (_, value) = line.split_once([':', '='])?;
    Some(value.trim().to_owned())
}
