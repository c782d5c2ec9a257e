//! What was measured under load, read from the lines that the laws print.

use std::fmt::Write as _;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    what: String,
    place: &'static str,
    reached: String,
    bound: String,
    is_met: bool,
}

/// From lines with `figure: WHAT | REACHED | BOUND | yes` in them.
pub fn read(lines: &[String], place: &'static str) -> Vec<Figure> {
    lines.iter().filter_map(|line| line.split_once("figure: ")).filter_map(|(_, figure)| of(figure, place)).collect()
}

fn of(line: &str, place: &'static str) -> Option<Figure> {
    let mut parts = line.split(" | ").map(str::to_owned);
    let (what, reached, bound, met) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    Some(Figure { what, place, reached, bound, is_met: met.starts_with("yes") })
}

/// A row for each figure, in the order in which they were found, in the form of Markdown.
pub fn table(figures: &[Figure]) -> String {
    let mut table = "| measured | reached | bound | met | database |\n|---|--:|--:|---|---|\n".to_owned();
    for Figure { what, place, reached, bound, is_met } in figures {
        let met = if *is_met { "yes" } else { "**no**" };
        // Writing into a text cannot fail.
        let _ = writeln!(table, "| {what} | {reached} | {bound} | {met} | {place} |");
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
