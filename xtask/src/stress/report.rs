//! The counts and metrics of a run, as tables.

use std::collections::BTreeMap;

use regex::Regex;

use crate::process::Failure;

pub const SQLITE: &str = "SQLite";
pub const POSTGRES: &str = "PostgreSQL";

const MEASURED: &str = "Latencies and memory of the load tests. The clients run on the same machine as the server.\n\n";

/// What a test prints: its iterations, and each metric beside its limit.
const COUNT: &str = r"invariant: (.+) runs=(\d+) seed=(\d+) failures=(\d+)";
const METRIC: &str = r"figure: (.+ \| .+ \| .+) \| (yes|no)";

/// The iterations of a test on one database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    pub database: &'static str,
    pub iterations: u64,
    /// The seed of the first iteration, or of the failed one.
    pub seed: u64,
    pub failures: u64,
}

/// The results of a run.
#[derive(Default)]
pub struct Report {
    counts: BTreeMap<String, Vec<Count>>,
    metrics: Vec<String>,
}

impl Report {
    /// Adds the counts and metrics in the output of the tests, wherever their lines begin.
    pub fn read(&mut self, lines: &[String], database: &'static str) -> Result<(), Failure> {
        let (count, metric) = (Regex::new(COUNT)?, Regex::new(METRIC)?);
        for line in lines {
            if let Some((_, [name, numbers @ ..])) = count.captures(line).map(|found| found.extract::<4>()) {
                let [iterations, seed, failures] = numbers.map(|number| number.parse().unwrap_or(0));
                self.add(name, Count { database, iterations, seed, failures });
            }
            if let Some((_, [values, met])) = metric.captures(line).map(|found| found.extract()) {
                let met = if met == "yes" { met } else { "**no**" };
                self.metrics.push(format!("| {values} | {met} | {database} |"));
            }
        }
        Ok(())
    }

    pub fn add(&mut self, name: &str, count: Count) {
        self.counts.entry(name.to_owned()).or_default().push(count);
    }

    /// Two Markdown tables: a row for each test, and a row for each metric.
    pub fn tables(&self) -> String {
        let counts: Vec<String> = self.counts.iter().map(|(name, counts)| row(name, counts)).collect();
        format!(
            "| test | iterations on {SQLITE} | iterations on {POSTGRES} | failed | seed |\n|---|--:|--:|--:|--:|\n{}\n\n\
             {MEASURED}| metric | measured | limit | met | database |\n|---|--:|--:|---|---|\n{}\n",
            counts.join("\n"),
            self.metrics.join("\n")
        )
    }
}

fn row(name: &str, counts: &[Count]) -> String {
    let [sqlite, postgres] = [SQLITE, POSTGRES].map(|database| {
        let count = counts.iter().find(|count| count.database == database);
        count.map_or_else(|| "–".to_owned(), |count| count.iterations.to_string())
    });
    let failures: u64 = counts.iter().map(|count| count.failures).sum();
    let seed = counts.iter().max_by_key(|count| count.failures).map_or(0, |count| count.seed);
    format!("| {name} | {sqlite} | {postgres} | {failures} | {seed} |")
}

#[cfg(test)]
mod tests {
    use super::{POSTGRES, Report, SQLITE};

    fn tables(sqlite: &str, postgres: &str) -> String {
        let mut report = Report::default();
        report.read(&sqlite.lines().map(str::to_owned).collect::<Vec<_>>(), SQLITE).unwrap();
        report.read(&postgres.lines().map(str::to_owned).collect::<Vec<_>>(), POSTGRES).unwrap();
        report.tables()
    }

    #[test]
    fn a_count_is_read_wherever_its_line_begins_and_a_failure_shows_its_own_seed() {
        let sqlite = "test races::x ... invariant: last items runs=12 seed=7 failures=0ok\ninvariant: x runs=a seed=1 failures=0";
        let text =
            tables(sqlite, "invariant: last items runs=3 seed=9 failures=1\ninvariant: y runs=1 seed=7 failures=0");
        assert!(text.contains("--:|\n| last items | 12 | 3 | 1 | 9 |\n| y | – | 1 | 0 | 7 |\n\n"), "{text}");
    }

    #[test]
    fn a_figure_is_read_wherever_its_line_begins_and_says_when_it_is_not_met() {
        let text = tables("test x ... figure: a quote, p99 | 12 ms | ≤ 10 ms | no\nfigure: half", "");
        assert!(text.ends_with("---|\n| a quote, p99 | 12 ms | ≤ 10 ms | **no** | SQLite |\n"), "{text}");
    }
}
