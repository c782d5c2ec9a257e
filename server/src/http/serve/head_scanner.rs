//! Where the heads of requests begin and end among the bytes of a connection, to refuse a bare line feed as the end of a
//! line (RFC 9112, 2.2): a server in front that takes one for a part of a value sees other headers than we do. The HTTP
//! library takes it for an end and does not tell.
//!
//! A head begins where a connection begins, and behind a body whose length was announced. Where that is not so, because
//! a request came together with the one before it (pipelining) or after chunks, no further request is taken.

/// What the bytes read so far belong to.
#[derive(Debug)]
pub struct Heads {
    part: Part,
    has_bare_end: bool,
}

#[derive(Debug)]
enum Part {
    /// Its line so far: whether it is empty, and whether its last byte is a carriage return.
    Head { has_begun: bool, line: Line },
    /// The head is whole, and so many bytes came behind it.
    Behind { came: u64 },
    /// The same, once the library has read the head; without a length for chunks.
    Body { came: u64, length: Option<u64> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Empty,
    Return,
    Text,
    TextAndReturn,
}

/// How a request may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Head {
    Clean,
    /// Whether another head follows cannot be told, so this request is the last.
    Last,
    /// A line ends without a carriage return, or nobody looked.
    Refused,
}

const START: Part = Part::Head { has_begun: false, line: Line::Empty };

impl Default for Heads {
    fn default() -> Self {
        Self { part: START, has_bare_end: false }
    }
}

impl Heads {
    /// These bytes came.
    pub fn read(&mut self, bytes: &[u8]) {
        if matches!(self.part, Part::Body { came, length } if length == Some(came)) {
            self.part = START;
        }
        match &mut self.part {
            Part::Behind { came } | Part::Body { came, .. } => *came += count(bytes),
            Part::Head { has_begun, line } => {
                for (index, byte) in bytes.iter().enumerate() {
                    *line = match (byte, *line) {
                        (b'\n', Line::Empty | Line::Return) if *has_begun => {
                            self.has_bare_end |= *line == Line::Empty;
                            self.part = Part::Behind { came: count(&bytes[index + 1..]) };
                            return;
                        }
                        (b'\n', ended) => {
                            self.has_bare_end |= matches!(ended, Line::Empty | Line::Text);
                            // Empty lines in front of a request are skipped.
                            *has_begun |= matches!(ended, Line::Text | Line::TextAndReturn);
                            Line::Empty
                        }
                        (b'\r', Line::Empty) => Line::Return,
                        (b'\r', Line::Text) => Line::TextAndReturn,
                        _ => Line::Text,
                    };
                }
            }
        }
    }

    /// The library has read a head, and says how long the body behind it is.
    pub fn take(&mut self, length: Option<u64>) -> Head {
        let Part::Behind { came } = self.part else { return Head::Refused };
        self.part = Part::Body { came, length };
        match length {
            _ if self.has_bare_end => Head::Refused,
            Some(length) if came <= length => Head::Clean,
            _ => Head::Last,
        }
    }

    /// Whether more came than the body of the request that is being answered: the beginning of a head that was not
    /// looked at.
    pub fn is_followed(&self) -> bool {
        matches!(self.part, Part::Body { came, length: Some(length) } if came > length)
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
        let mut heads = Heads::default();
        parts.iter().for_each(|part| heads.read(part.as_bytes()));
        heads.take(length)
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
                assert_eq!(taken(&[&bare[..cut], &bare[cut..]], Some(0)), Head::Refused, "{bare:?} {cut}");
            }
        }
    }

    #[test]
    fn line_feeds_of_a_body_are_its_own_and_the_next_head_is_looked_at_again() {
        let mut heads = Heads::default();
        for body in ["", "\n\n\n", "a\nb"] {
            let length = count(body.as_bytes());
            heads.read(CLEAN.as_bytes());
            assert_eq!(heads.take(Some(length)), Head::Clean);
            body.as_bytes().chunks(1).for_each(|byte| heads.read(byte));
            heads.read(format!("{CLEAN}{body}").as_bytes());
            assert_eq!(heads.take(Some(length)), Head::Clean);
        }
        heads.read(CLEAN.replace("shop\r", "shop").as_bytes());
        assert_eq!(heads.take(Some(0)), Head::Refused);
    }

    #[test]
    fn a_head_in_one_piece_with_the_rest_of_a_body_is_noticed() {
        let mut heads = Heads::default();
        heads.read(CLEAN.as_bytes());
        assert_eq!(heads.take(Some(4)), Head::Clean);
        heads.read(b"body");
        assert!(!heads.is_followed());
        heads.read(b"GET");
        assert!(!heads.is_followed(), "a head of its own");

        let mut heads = Heads::default();
        heads.read(CLEAN.as_bytes());
        assert_eq!(heads.take(Some(4)), Head::Clean);
        heads.read(b"bodyGET");
        assert!(heads.is_followed());
    }

    #[test]
    fn what_comes_where_nobody_can_tell_is_not_taken() {
        assert_eq!(taken(&[CLEAN, "0\r\n\r\n"], None), Head::Last);
        let mut heads = Heads::default();
        heads.read(format!("{CLEAN}GET / HTTP/1.1\nHost: shop\n\n").as_bytes());
        assert_eq!(heads.take(Some(0)), Head::Last);
        assert_eq!(heads.take(Some(0)), Head::Refused);
    }
}
