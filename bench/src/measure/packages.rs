//! The npm package of the rules: sizes, and times until it is ready.

use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement};
use xtask::npm_packages;
use xtask::process::Failure;

pub const MEASUREMENT: Measurement = Measurement {
    name: "packages",
    title: "npm package",
    how: "Each entry of `@nudgelight/core` contains its WebAssembly module and starts it when it is imported. Medians of \
        15 new Node.js processes.",
    run,
};

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let rows: Vec<Row> = npm_packages::measure(bench.workspace)?.iter().filter_map(|line| row(line)).collect();
    if rows.is_empty() { Err(Failure::new("packages/core/measure.mjs printed no measurement")) } else { Ok(rows) }
}

/// Parses `metric<TAB>unit<TAB>amount`.
fn row(line: &str) -> Option<Row> {
    let mut cells = line.split('\t');
    let (metric, unit, amount) = (cells.next()?, cells.next()?, cells.next()?.parse().ok()?);
    let figure = match unit {
        "bytes" => Figure::Bytes(amount),
        "microseconds" => Figure::Microseconds(amount),
        _ => return None,
    };
    Some(Row::without_reference(metric, figure, Target::Open))
}

#[cfg(test)]
mod tests {
    use super::row;

    #[test]
    fn a_line_is_a_row_with_its_unit() {
        let cells = row("`quote`: first call\tmicroseconds\t1234").map(|row| row.cells()[1].clone());
        assert_eq!(cells.as_deref(), Some("1.23 ms"));
        let cells = row("`quote`: download (brotli)\tbytes\t78946").map(|row| row.cells()[1].clone());
        assert_eq!(cells.as_deref(), Some("78.9 KB"));
        assert!(row("> nudgelight-packages").is_none());
    }
}
