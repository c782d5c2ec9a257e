//! What is loaded into the radio chip at each start.
//!
//! The program comes from the crate `cyw43-firmware`, under the licence of the chip's maker that `docs/guide/device.md`
//! names. The board's parameters are those of embassy's driver.

use aligned::{A4, Aligned};

/// The radio's own program.
pub static FIRMWARE: Aligned<A4, [u8; 231_077]> = Aligned(*cyw43_firmware::CYW43_43439A0);

/// One parameter a line.
const LINES: &[u8] = include_bytes!("parameters.txt");

/// The same as the chip wants them: each ends with a zero, and another zero ends them all. The length is one of words.
pub static PARAMETERS: Aligned<A4, [u8; LENGTH]> = Aligned(terminated());

const LENGTH: usize = (LINES.len() + 1).next_multiple_of(4);

const fn terminated() -> [u8; LENGTH] {
    let mut bytes = [0; LENGTH];
    let mut rest = LINES;
    let mut at = 0;
    while let [first, behind @ ..] = rest {
        #[allow(clippy::indexing_slicing, reason = "as long as the lines and evaluated by the compiler")]
        if *first != b'\n' {
            bytes[at] = *first;
        }
        at += 1;
        rest = behind;
    }
    bytes
}
