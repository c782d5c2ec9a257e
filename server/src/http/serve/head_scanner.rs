//! Scans request heads for bare line feeds (RFC 9112, section 2.2), which enable request smuggling: a proxy that reads one
//! as part of a value sees other headers than we do. The HTTP library accepts one as a line ending without reporting it.
//!
//! A head begins at the start of a connection and after a body of known length. After a request that arrived together
//! with the previous head (pipelining) or a chunked body, the start is unknown, so the connection closes.

/// State of the scanner at the end of the bytes read so far.
#[derive(Debug)]
pub struct HeadScanner {
    state: State,
    has_bare_end: bool,
}

#[derive(Debug)]
enum State {
    /// In a head: the state of its current line.
    Head { has_begun: bool, line: Line },
    /// After a complete head and this many further bytes.
    AfterHead { received: u64 },
    /// In a body; `length` is `None` for a chunked one.
    Body { received: u64, length: Option<u64> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Empty,
    Return,
    Text,
    TextAndReturn,
}

/// Result for one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    Clean,
    /// The start of the next head is unknown: the connection closes after the response.
    Last,
    /// A line ends with a bare line feed, or the head was not scanned.
    Invalid,
}

const START: State = State::Head { has_begun: false, line: Line::Empty };

impl Default for HeadScanner {
    fn default() -> Self {
        Self { state: START, has_bare_end: false }
    }
}

impl HeadScanner {
    /// Scans received bytes.
    pub fn read(&mut self, bytes: &[u8]) {
        let head = match &mut self.state {
            State::Head { .. } => bytes,
            State::AfterHead { received } => {
                *received += count(bytes);
                return;
            }
            State::Body { received, length } => {
                let rest = length.and_then(|length| length.checked_sub(*received));
                *received += count(bytes);
                // The end of the body and the next head may arrive in one read.
                match rest.and_then(|rest| bytes.get(usize::try_from(rest).ok()?..)) {
                    Some(head) if !head.is_empty() => {
                        self.state = START;
                        head
                    }
                    _ => return,
                }
            }
        };
        self.scan(head);
    }

    fn scan(&mut self, bytes: &[u8]) {
        let State::Head { has_begun, line } = &mut self.state else { return };
        for (index, byte) in bytes.iter().enumerate() {
            *line = match (byte, *line) {
                (b'\n', Line::Empty | Line::Return) if *has_begun => {
                    self.has_bare_end |= *line == Line::Empty;
                    self.state = State::AfterHead { received: count(&bytes[index + 1..]) };
                    return;
                }
                (b'\n', ended) => {
                    self.has_bare_end |= matches!(ended, Line::Empty | Line::Text);
                    // Empty lines before a request are ignored.
                    *has_begun |= matches!(ended, Line::Text | Line::TextAndReturn);
                    Line::Empty
                }
                (b'\r', Line::Empty) => Line::Return,
                (b'\r', Line::Text) => Line::TextAndReturn,
                _ => Line::Text,
            };
        }
    }

    /// Call when the HTTP library has parsed a head, with the length of the body.
    pub fn finish_head(&mut self, length: Option<u64>) -> Head {
        let State::AfterHead { received } = self.state else { return Head::Invalid };
        self.state = State::Body { received, length };
        match length {
            _ if self.has_bare_end => Head::Invalid,
            Some(length) if received <= length => Head::Clean,
            _ => Head::Last,
        }
    }
}

fn count(bytes: &[u8]) -> u64 {
    u64::try_from(bytes.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLEAN: &str = "POST / HTTP/1.1\r\nHost: shop\r\n\r\n";

    fn taken(parts: &[&str], length: Option<u64>) -> Head {
        let mut scanner = HeadScanner::default();
        parts.iter().for_each(|part| scanner.read(part.as_bytes()));
        scanner.finish_head(length)
    }

    #[test]
    fn a_line_ends_with_both_signs_however_the_bytes_arrive() {
        for cut in 0..CLEAN.len() {
            assert_eq!(taken(&[&CLEAN[..cut], &CLEAN[cut..]], Some(0)), Head::Clean, "{cut}");
        }
        assert_eq!(taken(&["\r\n\r\n", CLEAN], Some(0)), Head::Clean);
        for bare in [
            "GET / HTTP/1.1\nHost: shop\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: shop\n\r\n",
            "GET / HTTP/1.1\r\nHost: shop\r\n\n",
            "\nGET / HTTP/1.1\r\nHost: shop\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: shop\r\nX: a\nY: b\r\n\r\n",
        ] {
            for cut in 0..bare.len() {
                assert_eq!(taken(&[&bare[..cut], &bare[cut..]], Some(0)), Head::Invalid, "{bare:?} {cut}");
            }
        }
    }

    #[test]
    fn line_feeds_of_a_body_are_its_own_and_the_next_head_is_looked_at_again() {
        let mut scanner = HeadScanner::default();
        for body in ["", "\n\n\n", "a\nb"] {
            let length = count(body.as_bytes());
            scanner.read(CLEAN.as_bytes());
            assert_eq!(scanner.finish_head(Some(length)), Head::Clean);
            body.as_bytes().chunks(1).for_each(|byte| scanner.read(byte));
            scanner.read(format!("{CLEAN}{body}").as_bytes());
            assert_eq!(scanner.finish_head(Some(length)), Head::Clean);
        }
        scanner.read(CLEAN.replace("shop\r", "shop").as_bytes());
        assert_eq!(scanner.finish_head(Some(0)), Head::Invalid);
    }

    #[test]
    fn a_head_in_one_piece_with_the_rest_of_a_body_is_scanned() {
        for (next, result) in [(CLEAN, Head::Clean), ("GET / HTTP/1.1\nHost: shop\r\n\r\n", Head::Invalid)] {
            for sent in 0..=4 {
                let mut scanner = HeadScanner::default();
                scanner.read(CLEAN.as_bytes());
                assert_eq!(scanner.finish_head(Some(4)), Head::Clean);
                scanner.read(&b"\nody"[..sent]);
                scanner.read(format!("{}{next}", &"\nody"[sent..]).as_bytes());
                assert_eq!(scanner.finish_head(Some(0)), result, "{next:?} {sent}");
            }
        }
    }

    #[test]
    fn what_comes_where_nobody_can_tell_is_not_taken() {
        assert_eq!(taken(&[CLEAN, "0\r\n\r\n"], None), Head::Last);
        let mut scanner = HeadScanner::default();
        scanner.read(format!("{CLEAN}GET / HTTP/1.1\nHost: shop\n\n").as_bytes());
        assert_eq!(scanner.finish_head(Some(0)), Head::Last);
        assert_eq!(scanner.finish_head(Some(0)), Head::Invalid);
    }
}
