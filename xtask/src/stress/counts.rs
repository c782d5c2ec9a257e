//! Iteration counts, read from the lines that the tests print.

use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    pub name: String,
    pub database: &'static str,
    pub iterations: u64,
    /// The seed of the first iteration, or of the failed one.
    pub seed: u64,
    pub failures: u64,
}

/// Parses lines with `invariant: NAME runs=N seed=S failures=F` in them.
pub fn read(lines: &[String], database: &'static str) -> Vec<Count> {
    lines
        .iter()
        .filter_map(|line| line.split_once("invariant: "))
        .filter_map(|(_, count)| of(count, database))
        .collect()
}

fn of(line: &str, database: &'static str) -> Option<Count> {
    let (name, rest) = line.split_once(" runs=")?;
    let (runs, rest) = rest.split_once(" seed=")?;
    let (seed, failures) = rest.split_once(" failures=")?;
    let failures: String = failures.chars().take_while(char::is_ascii_digit).collect();
    Some(Count {
        name: name.to_owned(),
        database,
        iterations: runs.parse().ok()?,
        seed: seed.parse().ok()?,
        failures: failures.parse().ok()?,
    })
}

/// A Markdown table with a row for each test.
pub fn table(counts: &[Count]) -> String {
    let mut rows: BTreeMap<&str, Vec<&Count>> = BTreeMap::new();
    for count in counts {
        rows.entry(&count.name).or_default().push(count);
    }
    let mut table =
        "| test | iterations on SQLite | iterations on PostgreSQL | failed | seed |\n|---|--:|--:|--:|--:|\n"
            .to_owned();
    for (name, found) in rows {
        let iterations = |database: &str| {
            let found = found.iter().find(|count| count.database == database);
            found.map_or_else(|| "–".to_owned(), |count| count.iterations.to_string())
        };
        let failures: u64 = found.iter().map(|count| count.failures).sum();
        let shown = found.iter().find(|count| count.failures > 0).or(found.first());
        let seed = shown.map_or(0, |count| count.seed);
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {name} | {} | {} | {failures} | {seed} |",
            iterations("SQLite"),
            iterations("PostgreSQL")
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{read, table};

    #[test]
    fn a_count_is_read_wherever_its_line_begins() {
        let lines = [
            "test invariants::races::x ... invariant: last lights runs=12 seed=7 failures=0".to_owned(),
            "ok".to_owned(),
        ];
        let found = read(&lines, "SQLite");
        assert_eq!((found.len(), found[0].name.as_str(), found[0].iterations), (1, "last lights", 12));
        assert!(read(&["invariant: broken runs=x seed=1 failures=0".to_owned()], "SQLite").is_empty());
    }

    #[test]
    fn a_failure_shows_its_own_seed() {
        let mut counts = read(&["invariant: a runs=12 seed=7 failures=0".to_owned()], "SQLite");
        counts.extend(read(&["invariant: a runs=3 seed=9 failures=1".to_owned()], "PostgreSQL"));
        assert!(table(&counts).ends_with("| a | 12 | 3 | 1 | 9 |\n"), "{}", table(&counts));
    }
}
