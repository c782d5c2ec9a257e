//! Memory limit of decoding, checked from a file's header before anything is allocated.

use image::ColorType;

use super::error::PhotoError;

pub const MAX_PIXELS: u64 = 50_000_000;
/// For decoded pixels and the decoder's own copies of them. The process takes up to 420 MB with it.
const MAX_DECODING: u64 = 225_000_000;

/// Rejects an image whose decoding takes more than its share, given the bytes per pixel.
pub fn check(width: u32, height: u32, bytes_per_pixel: u64) -> Result<(), PhotoError> {
    let needed = u64::from(width) * u64::from(height) * bytes_per_pixel;
    if needed > MAX_DECODING { Err(PhotoError::TooMuchMemory) } else { Ok(()) }
}

/// Bytes per pixel of a PNG: as decoded, and converted to 8 bits per channel beside it where that is needed.
pub fn of_png(color: ColorType) -> u64 {
    let decoded = u64::from(color.bytes_per_pixel());
    match color {
        ColorType::Rgb8 | ColorType::Rgba8 => decoded,
        color if color.has_alpha() => decoded + 4,
        _ => decoded + 3,
    }
}

/// Bytes per pixel of a WebP image, as measured: the decoder has the frame and, apart from it, the transparency.
pub fn of_webp(color: ColorType) -> u64 {
    if color.has_alpha() { 11 } else { 7 }
}

/// Bytes per pixel of a JPEG. One whose coefficients arrive in several scans has all of them in memory, two bytes each.
pub fn of_jpeg(components: u8, is_in_one_scan: IsInOneScan) -> u64 {
    match is_in_one_scan {
        IsInOneScan::Yes => 3,
        IsInOneScan::No => 3 + 2 * u64::from(components),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsInOneScan {
    Yes,
    No,
}
