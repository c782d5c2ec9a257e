//! Version of the firmware: the package's version, and the start of the program's SHA-256.

use core::hint::black_box;

use wasm_core::firmware_version;
use wasm_core::uf2::VERSION_MARKER;

const TEXT: &str = firmware_version!(env!("CARGO_PKG_VERSION"));

/// Aligned, so that the text lies in one block of the UF2 file.
#[repr(align(128))]
struct Aligned([u8; TEXT.len()]);

/// `firmware/image` fills in the hash when it converts the linked program.
static MARKED: Aligned = Aligned(match TEXT.as_bytes().first_chunk() {
    Some(text) => *text,
    None => [0; TEXT.len()],
});

/// The version, such as `0.1.0+3f2a9c1d`.
#[must_use]
pub fn version() -> &'static str {
    // The compiler must not assume the content, because it changes after linking.
    let text = black_box(&MARKED).0.get(VERSION_MARKER.len()..).unwrap_or_default();
    core::str::from_utf8(text).unwrap_or_default().trim_ascii_end()
}
