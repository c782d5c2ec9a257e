//! Status lines that survive a restart.

use wasm_core::status::{TIME, WIFI};

/// Wi-Fi and clock status before the restart, read from the previous `STATUS.TXT`.
#[derive(Clone, Copy, Default)]
pub struct PreviousStatus {
    pub(super) wifi: Line,
    pub(super) time: Line,
}

impl PreviousStatus {
    /// Parses a report. Missing lines stay empty.
    #[must_use]
    pub fn parse(report: &[u8]) -> Self {
        let find = |label: &str| {
            let mut lines = report.split(|byte| *byte == b'\n');
            let line = lines.find_map(|line| line.strip_prefix(label.as_bytes())).unwrap_or_default();
            Line::new(line.trim_ascii())
        };
        Self { wifi: find(WIFI), time: find(TIME) }
    }
}

/// Line of printable ASCII, truncated to 100 characters.
#[derive(Clone, Copy)]
pub(super) struct Line([u8; 100]);

impl Line {
    fn new(text: &[u8]) -> Self {
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
