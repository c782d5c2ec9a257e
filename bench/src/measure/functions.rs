//! Functions of `wasm-core` and `app`, one by one.

use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement};
use xtask::process::{Failure, cargo, must_succeed};

pub const MEASUREMENT: Measurement = Measurement {
    name: "functions",
    title: "Functions",
    how: "Median durations, measured by divan in native code; a browser runs the same functions as WASM.",
    run,
};

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let finished = must_succeed(&mut cargo(&bench.workspace.root, "bench --bench functions"))?;
    let rows: Vec<Row> = finished
        .lines
        .iter()
        .filter_map(|line| median(line))
        .map(|(name, took)| Row::without_reference(name, Figure::Nanoseconds(took), Target::Open))
        .collect();
    if rows.is_empty() { Err(Failure::new("divan reported no measurement")) } else { Ok(rows) }
}

/// Parses a line of divan's table, `├─ name  fastest │ slowest │ median │ …`, into name and median in nanoseconds.
fn median(line: &str) -> Option<(String, u64)> {
    let row = line.strip_prefix("├─ ").or_else(|| line.strip_prefix("╰─ "))?;
    let mut cells = row.split('│');
    let name = cells.next()?.split_whitespace().next()?;
    Some((name.replace('_', " "), nanoseconds(cells.nth(1)?.trim())?))
}

/// Parses `12.34 µs`.
fn nanoseconds(text: &str) -> Option<u64> {
    let (number, unit) = text.split_once(' ')?;
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    // Six decimals make every unit a whole number of nanoseconds.
    let millionths: u64 = format!("{whole}{fraction:0<6.6}").parse().ok()?;
    match unit {
        "ns" => Some(millionths / 1_000_000),
        "µs" => Some(millionths / 1_000),
        "ms" => Some(millionths),
        "s" => Some(millionths * 1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_third_figure_of_a_line() {
        let line =
            "├─ quote_of_50_lines  118.2 ns      │ 1.061 µs      │ 120.5 ns      │ 127 ns        │ 100     │ 3200";
        assert_eq!(median(line), Some(("quote of 50 lines".to_owned(), 120)));
        assert_eq!(median("functions   fastest │ slowest │ median"), None);
        assert_eq!(
            ["12.34 µs", "3 ms", "1.5 s"].map(nanoseconds),
            [Some(12_340), Some(3_000_000), Some(1_500_000_000)]
        );
    }
}
