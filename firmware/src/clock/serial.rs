//! The time over a serial line, for boards without a radio: a line as `time 1795788005.250`, in seconds since 1970.

/// The longest line that makes sense.
const LONGEST: usize = 32;

/// Puts lines together from the bytes that come.
#[derive(Clone, Copy)]
pub struct Lines {
    line: [u8; LONGEST],
    length: usize,
}

impl Lines {
    #[must_use]
    pub const fn new() -> Self {
        Self { line: [0; LONGEST], length: 0 }
    }

    /// Takes a byte; gives milliseconds since 1970 at the end of a line that says them.
    pub fn take(&mut self, byte: u8) -> Option<i64> {
        if byte == b'\n' || byte == b'\r' {
            let time = self.line.get(..self.length).and_then(parse);
            self.length = 0;
            return time;
        }
        // What is too long is remembered as such: its beginning is not a line.
        if let Some(place) = self.line.get_mut(self.length) {
            *place = byte;
        }
        self.length = (self.length + 1).min(LONGEST + 1);
        None
    }
}

impl Default for Lines {
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
    use super::Lines;

    fn times(bytes: &str) -> Vec<i64> {
        let mut lines = Lines::new();
        bytes.bytes().filter_map(|byte| lines.take(byte)).collect()
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
