//! Interactions in the browser.

use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement};
use xtask::browser;
use xtask::process::{Failure, must_succeed};

pub const MEASUREMENT: Measurement = Measurement {
    name: "browser",
    title: "In the browser",
    how: "Headless Chromium on the same machine as the shop: 300 quotes, 40 navigations, 300 steps along the \
        Schedule Lab's week, 300 frames of the wall of recipes.",
    run,
};

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let mut command = browser::playwright(bench.workspace, "measurements")?;
    let finished = must_succeed(command.env("SHOP_SERVER", bench.server()))?;
    let rows: Vec<Row> = finished.lines.iter().filter_map(|line| row(line)).collect();
    if rows.is_empty() { Err(Failure::new("Playwright reported no measurement")) } else { Ok(rows) }
}

/// Parses `name | microseconds | limit`.
fn row(line: &str) -> Option<Row> {
    let mut cells = line.split(" | ");
    let name = cells.next()?;
    let took = cells.next()?.parse().ok()?;
    let most = cells.next()?.parse().ok()?;
    Some(Row::without_reference(name, Figure::Microseconds(took), Target::NoMoreThan(Figure::Microseconds(most))))
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn a_figure_is_read_from_its_line_and_other_lines_are_none() {
        let figure = row("a quote | 350 | 1000").map(|row| row.cells().join(";"));
        assert_eq!(figure.as_deref(), Some("a quote;350 µs;;;≤ 1.00 ms;yes"));
        assert!(row("npm warn | of something").is_none());
    }
}
