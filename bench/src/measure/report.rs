//! `docs/performance.md`: the latest result of each measurement, a section each.

use std::fs;

use crate::Measurement;
use crate::row::Row;
use bench::machine;
use xtask::process::Failure;
use xtask::workspace::Workspace;

const FILE: &str = "docs/performance.md";
const OPENING: &str = "# Performance

Most figures have a reference, measured alternately in the same run on the same machine; \
    compare the ratio. `cargo xtask bench` writes this file, `cargo xtask bench --only NAME` one section of it.
";
const COLUMNS: &str = "| metric | Nudgelight | reference | ratio | target | met |\n|---|---|---|---|---|---|\n";

/// Replaces the measurement's section and keeps the others.
pub fn write(workspace: &Workspace, measurement: &Measurement, rows: &[Row]) -> Result<(), Failure> {
    let path = workspace.root.join(FILE);
    let before = fs::read_to_string(&path).unwrap_or_default();
    let text = with_section(&before, measurement.title, &section(measurement, rows));
    fs::write(&path, text).map_err(|error| Failure::new(format!("{FILE}: {error}")))
}

fn section(measurement: &Measurement, rows: &[Row]) -> String {
    let lines: String = rows.iter().map(|row| format!("| {} |\n", row.cells().join(" | "))).collect();
    let (day, machine) = (machine::today(), machine::description());
    let Measurement { title, how, .. } = measurement;
    format!("## {title}\n\n{how} Measured on {day}, {machine}.\n\n{COLUMNS}{lines}")
}

fn with_section(before: &str, title: &str, section: &str) -> String {
    let mut parts: Vec<String> =
        before.split("\n## ").skip(1).map(|part| format!("## {}\n", part.trim_end())).collect();
    let heading = format!("## {title}\n");
    match parts.iter_mut().find(|part| part.starts_with(&heading)) {
        Some(part) => *part = section.to_owned(),
        None => parts.push(section.to_owned()),
    }
    format!("{OPENING}\n{}", parts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_replaced_and_the_others_stay() {
        let both = with_section(&with_section("", "Reads", "## Reads\n\nold\n"), "Size", "## Size\n\nbig\n");
        let text = with_section(&both, "Reads", "## Reads\n\nnew\n");
        assert_eq!(text, format!("{OPENING}\n## Reads\n\nnew\n\n## Size\n\nbig\n"));
    }
}
