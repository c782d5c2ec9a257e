//! The counts and metrics of a run, as Markdown tables.

use regex::Regex;

use crate::process::Failure;

/// What a test prints: its iterations, and each metric with its limit.
const COUNT: &str = r"invariant: (.+) runs=(\d+) seed=(\d+) failures=(\d+)";
const METRIC: &str = r"figure: (.+ \| .+ \| .+) \| (yes|no)";

/// The rows of both tables.
#[derive(Default)]
pub struct Report {
    counts: Vec<String>,
    metrics: Vec<String>,
}

impl Report {
    /// Adds the counts and metrics in the output of the tests, wherever their lines begin.
    pub fn read(&mut self, lines: &[String], database: &str) -> Result<(), Failure> {
        let (count, metric) = (Regex::new(COUNT)?, Regex::new(METRIC)?);
        for line in lines {
            if let Some((_, [name, iterations, seed, failures])) = count.captures(line).map(|found| found.extract()) {
                self.add(name, database, [iterations, failures, seed]);
            }
            if let Some((_, [values, met])) = metric.captures(line).map(|found| found.extract()) {
                let met = if met == "yes" { met } else { "**no**" };
                self.metrics.push(format!("| {values} | {met} | {database} |"));
            }
        }
        Ok(())
    }

    /// Adds a test's number of iterations, of failures, and its seed.
    pub fn add(&mut self, name: &str, database: &str, [iterations, failures, seed]: [&str; 3]) {
        self.counts.push(format!("| {name} | {database} | {iterations} | {failures} | {seed} |"));
    }

    pub fn tables(&self) -> String {
        let (counts, metrics) = (self.counts.join("\n"), self.metrics.join("\n"));
        format!(
            "| test | database | iterations | failed | seed |\n|---|---|--:|--:|--:|\n{counts}\n\n\
             | metric | measured | limit | met | database |\n|---|--:|--:|---|---|\n{metrics}\n"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Report;

    #[test]
    fn counts_and_metrics_are_read_wherever_their_lines_begin() {
        let lines = "test x ... invariant: last items runs=12 seed=7 failures=0ok\ninvariant: x runs=a seed=1 failures=0\n\
                     test y ... figure: a quote, p99 | 12 ms | ≤ 10 ms | no\nfigure: half";
        let mut report = Report::default();
        report.read(&lines.lines().map(str::to_owned).collect::<Vec<_>>(), "SQLite").unwrap();
        let text = report.tables();
        assert!(text.contains("--:|\n| last items | SQLite | 12 | 0 | 7 |\n\n"), "{text}");
        assert!(text.ends_with("---|\n| a quote, p99 | 12 ms | ≤ 10 ms | **no** | SQLite |\n"), "{text}");
    }
}
