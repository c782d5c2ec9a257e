//! Lighthouse scores of the landing pages.

use crate::row::{Figure, Row, Target};
use crate::{Bench, Measurement};
use xtask::browser;
use xtask::process::Failure;
use xtask::shop::Shop;

pub const MEASUREMENT: Measurement = Measurement {
    name: "lighthouse",
    title: "Pages on a slow phone",
    how: "Lighthouse with its mobile profile, which simulates a slow phone on a slow network; medians of five \
        rounds; the product has three photographs. LCP is Largest Contentful Paint, TBT total blocking time. A score \
        below 100 for accessibility, \
        best practices or SEO fails the measurement.",
    run,
};

fn run(bench: &Bench) -> Result<Vec<Row>, Failure> {
    let shop = Shop::open(&bench.server(), bench.workspace, "bench-lighthouse", &browser::LIGHTHOUSE_SETTINGS)?;
    let rows: Vec<Row> =
        browser::lighthouse(bench.workspace, &shop)?.iter().filter_map(|line| rows(line)).flatten().collect();
    if rows.is_empty() { Err(Failure::new("Lighthouse reported no measurement")) } else { Ok(rows) }
}

/// Parses `| page | performance | accessibility | best practices | search engines | LCP ms | TBT ms | CLS |`.
fn rows(line: &str) -> Option<[Row; 3]> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split(" | ").map(str::trim).collect();
    let [page, performance, _, _, _, paint, blocked, _] = cells.as_slice() else { return None };
    let milliseconds = |cell: &str| Some(Figure::Microseconds(cell.parse::<u64>().ok()? * 1_000));
    let within = |most: u64| match *page {
        "/" => Target::NoMoreThan(Figure::Microseconds(most * 1_000)),
        _ => Target::Open,
    };
    Some([
        Row::without_reference(
            format!("{page}: performance score"),
            Figure::Points(performance.parse().ok()?),
            Target::NoLessThan(Figure::Points(99)),
        ),
        Row::without_reference(format!("{page}: LCP"), milliseconds(paint)?, within(1_250)),
        Row::without_reference(format!("{page}: TBT"), milliseconds(blocked)?, within(100)),
    ])
}

#[cfg(test)]
mod tests {
    use super::rows;

    #[test]
    fn a_page_has_its_figures_and_other_lines_have_none() {
        let of_page = rows("| / | 96 | 100 | 100 | 100 | 1236 | 44 | 0.000 |").map(|rows| rows.map(|row| row.is_met()));
        assert_eq!(of_page, Some([Some(false), Some(true), Some(true)]));
        assert!(
            rows("| page | performance | accessibility | best-practices | seo | LCP ms | TBT ms | CLS |").is_none()
        );
        assert!(rows("/: 96 100 100 100").is_none());
    }
}
