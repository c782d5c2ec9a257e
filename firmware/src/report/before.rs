//! What the last report said.

use super::{TIME, WIFI};

/// What the last run's report said of things that a fresh start does not know yet.
#[derive(Clone, Copy, Default)]
pub struct Before {
    pub(super) wifi: Line,
    pub(super) time: Line,
}

impl Before {
    /// Finds the lines in a report; what is not one gives nothing.
    #[must_use]
    pub fn of(report: &[u8]) -> Self {
        let find = |label: &str| {
            let mut lines = report.split(|byte| *byte == b'\n');
            let line = lines.find_map(|line| line.strip_prefix(label.as_bytes())).unwrap_or_default();
            Line::of(line.trim_ascii())
        };
        Self { wifi: find(WIFI), time: find(TIME) }
    }
}

/// A line of limited length.
#[derive(Clone, Copy)]
pub(super) struct Line([u8; 100]);

impl Line {
    fn of(text: &[u8]) -> Self {
        let mut line = Self::default();
        let printable = text.iter().map(|byte| if (b' '..0x7F).contains(byte) { *byte } else { b'?' });
        line.0.iter_mut().zip(printable).for_each(|(to, from)| *to = from);
        line
    }

    pub(super) fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default().trim_end_matches('\0')
    }
}

impl Default for Line {
    fn default() -> Self {
        Self([0; 100])
    }
}
