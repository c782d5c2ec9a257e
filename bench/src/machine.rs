//! Date and machine of a measurement.

use std::fs;
use std::process::Command;
use std::thread;

use xtask::process::stdout_of;

/// The date in UTC.
pub fn today() -> String {
    stdout_of(Command::new("date").args(["-u", "+%Y-%m-%d"])).unwrap_or_else(|| "an unknown day".to_owned())
}

/// Processor, memory and operating system.
pub fn description() -> String {
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let model = value("/proc/cpuinfo", "model name").unwrap_or_else(|| "an unknown processor".to_owned());
    let kibibytes = value("/proc/meminfo", "MemTotal");
    let memory = kibibytes.and_then(|text| text.split_whitespace().next()?.parse::<u64>().ok());
    let memory = memory.map(|kibibytes| format!(", {} GiB", kibibytes.div_ceil(1024 * 1024))).unwrap_or_default();
    let system = value("/etc/os-release", "PRETTY_NAME").unwrap_or_else(|| std::env::consts::OS.to_owned());
    format!("{cores} cores of {model}{memory}, {}", system.trim_matches('"'))
}

/// The value of a key in a file of key-value lines, such as `/proc/cpuinfo`.
fn value(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once([':', '=']).map(|(_, value)| value.trim().to_owned())
}
