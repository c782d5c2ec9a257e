//! Time over a serial line (UART), for boards without a radio: lines such as `time 1795788005.250`, in seconds since
//! 1970.

/// Maximum length of a valid line.
const MAX_LINE: usize = 32;

/// Incremental parser of time lines.
#[derive(Clone, Copy)]
pub struct TimeLineParser {
    line: [u8; MAX_LINE],
    length: usize,
}

impl TimeLineParser {
    #[must_use]
    pub const fn new() -> Self {
        Self { line: [0; MAX_LINE], length: 0 }
    }

    /// Adds a byte. Returns milliseconds since 1970 at the end of a valid line.
    pub fn push(&mut self, byte: u8) -> Option<i64> {
        if byte == b'\n' || byte == b'\r' {
            let time = self.line.get(..self.length).and_then(parse);
            self.length = 0;
            return time;
        }
        // The length also counts dropped bytes, so the start of an overlong line is not parsed as a line.
        if let Some(slot) = self.line.get_mut(self.length) {
            *slot = byte;
        }
        self.length = (self.length + 1).min(MAX_LINE + 1);
        None
    }
}

impl Default for TimeLineParser {
    fn default() -> Self {
        Self::new()
    }
}

fn parse(line: &[u8]) -> Option<i64> {
    let time = core::str::from_utf8(line).ok()?.strip_prefix("time ")?;
    let (seconds, ms) = time.split_once('.').unwrap_or((time, "0"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(seconds) || !is_number(ms) || ms.len() > 3 {
        return None;
    }
    let scale = [100, 10, 1].get(ms.len().checked_sub(1)?)?;
    seconds.parse::<i64>().ok()?.checked_mul(1000)?.checked_add(ms.parse::<i64>().ok()? * scale)
}

#[cfg(test)]
mod tests {
    use super::TimeLineParser;

    fn times(bytes: &str) -> Vec<i64> {
        let mut parser = TimeLineParser::new();
        bytes.bytes().filter_map(|byte| parser.push(byte)).collect()
    }

    #[test]
    fn a_line_says_the_time() {
        assert_eq!(times("time 1795788005\r\ntime 1795788005.25\n"), [1_795_788_005_000, 1_795_788_005_250]);
    }

    #[test]
    fn anything_else_says_nothing() {
        let long = format!("time {}\n", "1".repeat(40));
        for line in
            ["", "\n", "time\n", "time x\n", "time 1.2345\n", "time -5\n", "time 5.\n", "time 5", "\u{fffd}\n", &long]
        {
            assert!(times(line).is_empty(), "{line:?}");
        }
        assert_eq!(times("noise noise noise noise noise noise noise\ntime 1795788005\n"), [1_795_788_005_000]);
    }
}
