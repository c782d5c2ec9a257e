//! Stages with a name and a time, shown while they run and as a table at the end.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::process::Failure;

pub struct Stages {
    began: Instant,
    rows: Mutex<Vec<Row>>,
}

struct Row {
    name: &'static str,
    from: Duration,
    took: Duration,
    outcome: &'static str,
}

impl Stages {
    pub fn new() -> Self {
        Self { began: Instant::now(), rows: Mutex::new(Vec::new()) }
    }

    /// Runs one stage; stages may run side by side from several threads.
    pub fn run<T>(&self, name: &'static str, work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        let from = self.began.elapsed();
        println!("==> {name}");
        let result = work();
        let took = self.began.elapsed().saturating_sub(from);
        match &result {
            Ok(_) => println!("<== {name}: done in {took:.1?}"),
            Err(failure) => println!("<== {name}: FAILED after {took:.1?}: {failure}"),
        }
        let outcome = if result.is_ok() { "ok" } else { "failed" };
        let mut rows = self.rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        rows.push(Row { name, from, took, outcome });
        result
    }

    /// The time by stage, in the order the stages began. Stages overlap, so the total is not their sum.
    pub fn table(&self) -> String {
        let mut rows = self.rows.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        rows.sort_by_key(|row| row.from);
        let mut text = String::from("  began      took  stage\n");
        for Row { name, from, took, outcome } in rows.iter() {
            text +=
                &format!("{:>7}  {:>8}  {name} ({outcome})\n", format!("{}s", from.as_secs()), format!("{took:.1?}"));
        }
        text + &format!("{:>7}  {:>8}  all\n", "", format!("{:.1?}", self.began.elapsed()))
    }
}
