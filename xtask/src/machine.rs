//! Date and machine of a measurement, and the programs of a test run.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use crate::browser;
use crate::postgres;
use crate::process::stdout_of;
use crate::programs;

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

/// The versions of the compiler, Node.js, the browsers and PostgreSQL, so that test runs can be compared.
pub fn versions() -> Vec<String> {
    let firefox = programs::find("firefox-esr").or_else(|| programs::find("firefox"));
    let found = [
        ("Rust", Some("rustc".into())),
        ("Node.js", Some("node".into())),
        ("PostgreSQL", postgres::programs().map(|folder| folder.join("postgres"))),
        ("Chromium", browser::chromium().ok()),
        ("Firefox", firefox),
        ("WebKitGTK", programs::find("WebKitWebDriver")),
    ];
    let version = |program: PathBuf| stdout_of(Command::new(program).arg("--version"));
    found.map(|(name, program)| format!("{name}: {}", program.and_then(version).as_deref().unwrap_or("none"))).into()
}

/// The value of a key in a file of key-value lines, such as `/proc/cpuinfo`.
fn value(file: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once([':', '=']).map(|(_, value)| value.trim().to_owned())
}
