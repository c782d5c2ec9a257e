//! UF2: the format of a firmware file. The firmware's build writes it; the server and the browser check it before a
//! light gets it.
//!
//! The file is a sequence of 512-byte blocks. Each has 256 bytes of flash and says where they belong. The program
//! contains its version behind a marker: the package's version and the start of the program's SHA-256, so a changed
//! program has another version.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use core::fmt;

/// Size of a block in bytes.
pub const BLOCK: usize = 512;
/// Bytes of flash in a block.
pub const PAYLOAD: usize = 256;
/// Family of the RP2040, the chip of the Pico W.
pub const RP2040: u32 = 0xE48B_FF56;
/// Address of the flash.
pub const FLASH: u32 = 0x1000_0000;

/// The text in the program that has its version: a marker, the package's version, and a place for the hash.
#[macro_export]
macro_rules! firmware_version {
    () => {
        "nudgelight-firmware-version "
    };
    ($package_version:expr) => {
        concat!($crate::firmware_version!(), $package_version, "+", "--------", " ")
    };
}

/// Marks the version in the program. The version follows, up to the next space.
pub const VERSION_MARKER: &str = firmware_version!();
/// The place of the hash before the build fills it in: eight hexadecimal digits.
pub const NO_HASH: [u8; 8] = *b"--------";

const FIRST_MAGIC: u32 = 0x0A32_4655;
const SECOND_MAGIC: u32 = 0x9E5D_5157;
const LAST_MAGIC: u32 = 0x0AB1_6F30;
/// Flag: the block has a chip family.
const HAS_FAMILY: u32 = 0x2000;
const HEADER: usize = 32;

/// Reason for rejecting a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uf2Error {
    /// The file is no UF2 file, or is damaged.
    Invalid,
    /// The file is for another chip.
    OtherFamily,
    /// The program is not the light's.
    NoVersion,
    /// The program has changed, but not its version.
    OtherVersion,
}

impl fmt::Display for Uf2Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Invalid => "the file is incomplete or not a UF2 file",
            Self::OtherFamily => "the firmware is for a different chip",
            Self::NoVersion => "the file is not Nudgelight firmware",
            Self::OtherVersion => "its contents differ from its version",
        })
    }
}

/// Block `number` of `count`: 256 bytes of flash for the RP2040.
#[must_use]
pub fn block(number: u32, count: u32, payload: &[u8; PAYLOAD]) -> [u8; BLOCK] {
    let address = FLASH.saturating_add(number.saturating_mul(256));
    let header = [FIRST_MAGIC, SECOND_MAGIC, HAS_FAMILY, address, 256, number, count, RP2040];
    let header = header.into_iter().flat_map(u32::to_le_bytes);
    let mut block = [0; BLOCK];
    block.iter_mut().zip(header.chain(payload.iter().copied())).for_each(|(to, from)| *to = from);
    block.iter_mut().rev().zip(LAST_MAGIC.to_be_bytes()).for_each(|(to, from)| *to = from);
    block
}

/// Checks a whole file, and returns the version of its program.
///
/// # Errors
///
/// The file is damaged, for another chip, or another program.
pub fn version(file: &[u8]) -> Result<&str, Uf2Error> {
    let (blocks, rest) = file.as_chunks::<BLOCK>();
    if blocks.is_empty() || !rest.is_empty() {
        return Err(Uf2Error::Invalid);
    }
    let count = u32::try_from(blocks.len()).map_err(|_| Uf2Error::Invalid)?;
    for (number, block) in (0..count).zip(blocks) {
        check(block, number, count)?;
    }
    blocks.iter().find_map(version_in).ok_or(Uf2Error::NoVersion)
}

/// The flash in a file: the payloads of its blocks.
pub fn payloads(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (blocks, _) = file.as_chunks::<BLOCK>();
    blocks.iter().filter_map(|block| block.get(HEADER..HEADER.saturating_add(PAYLOAD)))
}

/// The digits of the program's hash in its version. The hash is that of the flash with [`NO_HASH`] in this place.
pub fn hash_digits(flash: &mut [u8]) -> Option<&mut [u8]> {
    let marker = VERSION_MARKER.as_bytes();
    let version = flash.windows(marker.len()).position(|bytes| bytes == marker)?.checked_add(marker.len())?;
    let plus = flash.get(version..)?.iter().position(|byte| *byte == b'+')?;
    let begin = version.checked_add(plus)?.checked_add(1)?;
    flash.get_mut(begin..begin.checked_add(NO_HASH.len())?)
}

fn check(block: &[u8; BLOCK], number: u32, count: u32) -> Result<(), Uf2Error> {
    let word = |at: usize| {
        let bytes = block.get(at..).and_then(|rest| rest.first_chunk::<4>());
        bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
    };
    let magic = [word(0), word(4), word(BLOCK.saturating_sub(4))];
    if magic != [FIRST_MAGIC, SECOND_MAGIC, LAST_MAGIC] {
        return Err(Uf2Error::Invalid);
    }
    if word(8) & HAS_FAMILY == 0 || word(28) != RP2040 {
        return Err(Uf2Error::OtherFamily);
    }
    let address = FLASH.saturating_add(number.saturating_mul(256));
    if [word(12), word(16), word(20), word(24)] != [address, 256, number, count] {
        return Err(Uf2Error::Invalid);
    }
    Ok(())
}

/// The version in a block. The linker aligns it, so that it never spans two.
fn version_in(block: &[u8; BLOCK]) -> Option<&str> {
    let payload = block.get(HEADER..HEADER.saturating_add(PAYLOAD))?;
    let marker = VERSION_MARKER.as_bytes();
    let at = payload.windows(marker.len()).position(|bytes| bytes == marker)?;
    let text = payload.get(at..)?.get(marker.len()..)?;
    let end = text.iter().position(|byte| *byte == b' ')?;
    core::str::from_utf8(text.get(..end)?).ok()
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn file(text: &str) -> Vec<u8> {
        let mut last = [0xFF; PAYLOAD];
        last.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from);
        [block(0, 2, &[7; PAYLOAD]), block(1, 2, &last)].concat()
    }

    #[test]
    fn a_file_tells_the_version_of_its_program() {
        let file = file("nudgelight-firmware-version 0.1.0+3f2a9c1d ");
        assert_eq!(version(&file), Ok("0.1.0+3f2a9c1d"));
    }

    #[test]
    fn what_is_damaged_or_for_another_chip_or_program_is_rejected() {
        let good = file("nudgelight-firmware-version 0.1.0+3f2a9c1d ");
        let changed = |at: usize, byte: u8| {
            let mut file = good.clone();
            *file.get_mut(at).unwrap() = byte;
            file
        };
        assert_eq!(version(&[]), Err(Uf2Error::Invalid));
        assert_eq!(version(b"UF2"), Err(Uf2Error::Invalid));
        assert_eq!(version(good.get(..512).unwrap()), Err(Uf2Error::Invalid), "a block is missing");
        assert_eq!(version(good.get(..700).unwrap()), Err(Uf2Error::Invalid));
        for at in [0, 4, 508, 512, 512 + 12, 512 + 16, 512 + 20, 512 + 24] {
            assert_eq!(version(&changed(at, 0x42)), Err(Uf2Error::Invalid), "{at}");
        }
        assert_eq!(version(&changed(28, 0x57)), Err(Uf2Error::OtherFamily));
        assert_eq!(version(&changed(9, 0)), Err(Uf2Error::OtherFamily));
        assert_eq!(version(&file("another program")), Err(Uf2Error::NoVersion));
    }
}
