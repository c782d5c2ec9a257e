//! Stages with a name, a duration and a log file. A table and the failures are printed at the end of a command.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::process::{Failure, StageLog, logged_to};

/// Lines of output that the failures of one command may take together.
const MOST_LINES: usize = 140;

pub struct Stages {
    began: Instant,
    /// Folder of the log files.
    logs: PathBuf,
    rows: Mutex<Vec<Row>>,
}

struct Row {
    name: &'static str,
    from: Duration,
    took: Duration,
    failure: Option<Failure>,
}

impl Stages {
    pub fn new(logs: PathBuf) -> Self {
        Self { began: Instant::now(), logs, rows: Mutex::new(Vec::new()) }
    }

    /// Runs one stage. Stages may run in parallel, each in a thread of its own.
    pub fn run<T>(&self, name: &'static str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        let from = self.began.elapsed();
        println!("==> {name}");
        let result = logged_to(self.open_log(name), work);
        let took = self.began.elapsed().saturating_sub(from);
        match &result {
            Ok(_) => println!("<== {name}: ok in {took:.1?}"),
            Err(failure) => println!("<== {name}: FAILED in {took:.1?}: {failure}"),
        }
        let failure = result.as_ref().err().cloned();
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).push(Row { name, from, took, failure });
        result
    }

    /// A stage that runs again appends to its log. Without a writable folder there are no logs.
    fn open_log(&self, stage: &'static str) -> Option<StageLog> {
        fs::create_dir_all(&self.logs).ok()?;
        let runs_again = self.rows.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|row| row.name == stage);
        let mut options = File::options();
        options.create(true).write(true).append(runs_again).truncate(!runs_again);
        Some(StageLog { stage, file: options.open(self.log(stage)).ok()? })
    }

    fn log(&self, stage: &str) -> PathBuf {
        let words: Vec<&str> =
            stage.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
        self.logs.join(format!("{}.log", words.join("-")))
    }

    /// The duration of each stage, in order of start. Stages overlap, so the total is not their sum.
    pub fn table(&self) -> String {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.sort_by_key(|row| row.from);
        let mut text = String::from("  start  duration  stage\n");
        for Row { name, from, took, failure } in rows.iter() {
            let status = if failure.is_some() { "FAILED" } else { "ok" };
            let (from, took) = (format!("{}s", from.as_secs()), format!("{took:.1?}"));
            text += &format!("{from:>7}  {took:>8}  {name} ({status})\n");
        }
        text + &format!("{:>7}  {:>8}  total\n", "", format!("{:.1?}", self.began.elapsed()))
    }

    /// Each failed stage with its log file and, within [`MOST_LINES`], the output that explains the failure.
    pub fn failures(&self) -> String {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let failed: Vec<(&Row, &Failure)> = rows.iter().filter_map(|row| Some((row, row.failure.as_ref()?))).collect();
        let share = MOST_LINES / failed.len().max(1);
        let mut text = String::new();
        for (row, failure) in failed {
            let (name, log) = (row.name, self.log(row.name));
            text += &format!("FAILED {name}: {failure}\n");
            failure.output.iter().take(share).for_each(|line| text += &format!("  | {line}\n"));
            let left = failure.output.len().saturating_sub(share);
            if left > 0 {
                text += &format!("  | … {left} more lines\n");
            }
            text += &format!("  whole output: {}\n", log.display());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_failures_of_all_stages_fit_on_a_page_and_name_their_logs() {
        let stages = Stages::new(std::env::temp_dir().join(format!("xtask-stages-{}", std::process::id())));
        for name in ["lints, browser", "native"] {
            let long = Failure::new("2 failed").with_output(vec!["a line".to_owned(); 1_000]);
            assert!(stages.run(name, || Err::<(), _>(long)).is_err());
        }
        let text = stages.failures();
        assert!(text.lines().count() < 160, "{}", text.lines().count());
        assert!(text.contains("FAILED native: 2 failed\n  | a line\n"), "{text}");
        assert!(text.contains("… 930 more lines") && text.contains("lints-browser.log"), "{text}");
        fs::remove_dir_all(&stages.logs).unwrap();
    }
}
