//! Binary blobs for the radio chip, loaded at each start.
//!
//! The radio firmware comes from the crate `cyw43-firmware`. `docs/guide/device.md` names its license. The NVRAM
//! parameters come from embassy's driver.

use aligned::{A4, Aligned};

/// Firmware of the radio chip.
pub static FIRMWARE: Aligned<A4, [u8; 231_077]> = Aligned(*cyw43_firmware::CYW43_43439A0);

/// NVRAM parameters, one per line.
const LINES: &[u8] = include_bytes!("parameters.txt");

/// NVRAM parameters for the chip: zero-terminated strings, a final zero, padded to a multiple of 4 bytes.
pub static PARAMETERS: Aligned<A4, [u8; LENGTH]> = Aligned(terminated());

const LENGTH: usize = (LINES.len() + 1).next_multiple_of(4);

const fn terminated() -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let mut rest = LINES;
    let mut at = 0;
    while let [first, tail @ ..] = rest {
        #[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where it is bounds-checked")]
        if *first != b'\n' {
            bytes[at] = *first;
        }
        at += 1;
        rest = tail;
    }
    bytes
}
