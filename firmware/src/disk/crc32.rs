//! CRC-32 of data in flash.

/// Incremental CRC-32 (IEEE 802.3). It uses no table: a save computes few checksums, and a table takes a kilobyte.
#[derive(Clone, Copy)]
pub struct Crc32(u32);

impl Crc32 {
    /// Checksum of no bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self(u32::MAX)
    }

    /// Appends `bytes`.
    #[must_use]
    pub fn with(self, bytes: &[u8]) -> Self {
        let bit = |crc: u32, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        Self(bytes.iter().fold(self.0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), bit)))
    }

    #[must_use]
    pub const fn value(self) -> u32 {
        !self.0
    }
}

impl Default for Crc32 {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::Crc32;

    #[test]
    fn it_is_the_checksum_that_everybody_knows() {
        assert_eq!(Crc32::new().with(b"1234").with(b"56789").value(), 0xCBF4_3926);
    }
}
