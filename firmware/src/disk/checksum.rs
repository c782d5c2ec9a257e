//! The checksum over what is kept in flash.

/// CRC-32 (IEEE 802.3), without a table: it is made a few times a save, and a table is a kilobyte.
#[derive(Clone, Copy)]
pub struct Checksum(u32);

impl Checksum {
    /// Of nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(u32::MAX)
    }

    /// Of what it was of, followed by `bytes`.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Self {
        let bit = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0xEDB8_8320 } else { sum >> 1 };
        Self(bytes.iter().fold(self.0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), bit)))
    }

    /// Its value.
    #[must_use]
    pub const fn value(self) -> u32 {
        !self.0
    }
}

impl Default for Checksum {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Checksum;

    #[test]
    fn it_is_the_checksum_that_everybody_knows() {
        assert_eq!(Checksum::new().with(b"1234").with(b"56789").value(), 0xCBF4_3926);
    }
}
