//! Figures of the load tests, read from the lines that the tests print.

use std::fmt::Write as _;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    metric: String,
    database: &'static str,
    measured: String,
    limit: String,
    is_met: bool,
}

/// Parses lines with `figure: WHAT | REACHED | BOUND | yes` in them.
pub fn read(lines: &[String], database: &'static str) -> Vec<Figure> {
    lines.iter().filter_map(|line| line.split_once("figure: ")).filter_map(|(_, figure)| of(figure, database)).collect()
}

fn of(line: &str, database: &'static str) -> Option<Figure> {
    let mut parts = line.split(" | ").map(str::to_owned);
    let (metric, measured, limit, met) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some(Figure { metric, database, measured, limit, is_met: met.starts_with("yes") })
}

/// A Markdown table with a row for each figure, in order.
pub fn table(figures: &[Figure]) -> String {
    let mut table = "| metric | measured | limit | met | database |\n|---|--:|--:|---|---|\n".to_owned();
    for Figure { metric, database, measured, limit, is_met } in figures {
        let met = if *is_met { "yes" } else { "**no**" };
        // Writing to a String cannot fail.
        let _ = writeln!(table, "| {metric} | {measured} | {limit} | {met} | {database} |");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{read, table};

    #[test]
    fn a_figure_is_read_wherever_its_line_begins_and_says_when_it_is_not_met() {
        let lines = ["test x ... figure: a quote, p99 | 12 ms | ≤ 10 ms | no".to_owned(), "figure: half".to_owned()];
        let found = read(&lines, "SQLite");
        assert!(
            table(&found).ends_with("\n| a quote, p99 | 12 ms | ≤ 10 ms | **no** | SQLite |\n"),
            "{}",
            table(&found)
        );
        assert_eq!(found.len(), 1);
    }
}
