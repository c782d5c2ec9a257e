//! JPEG decoding. The decoder is used without its wrapper in `image`, which accepts incomplete files.

use image::metadata::Orientation;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::decoded::Decoded;
use super::error::PhotoError;
use super::memory;
use super::memory::IsInOneScan;
use super::scale::Picture;
use super::size::check_size;

/// Scans of a progressive file; usual ones have about ten. Each takes as long as a whole image.
const MAX_SCANS: usize = 32;
const START_OF_SCAN: u8 = 0xDA;

pub fn decode(file: &[u8]) -> Result<Decoded, PhotoError> {
    let options = DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
        .jpeg_set_max_scans(MAX_SCANS)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(|_| PhotoError::Damaged)?;
    let info = decoder.info().ok_or(PhotoError::Damaged)?;
    let (width, height) = (u32::from(info.width), u32::from(info.height));
    check_size(width, height)?;
    if is_too_short(file, width, height) {
        return Err(PhotoError::Damaged);
    }
    let is_in_one_scan = match info.sof.is_sequential_dct() && first_scan(file) == Some(info.components) {
        true => IsInOneScan::Yes,
        false => IsInOneScan::No,
    };
    memory::check(width, height, memory::of_jpeg(info.components, is_in_one_scan))?;
    let orientation = decoder.exif().and_then(|exif| Orientation::from_exif_chunk(exif));
    let icc_profile = decoder.icc_profile();
    let rgb = decoder.decode().map_err(|_| PhotoError::Damaged)?;
    Ok(Decoded {
        picture: Picture { width, height, rgb },
        orientation: orientation.unwrap_or(Orientation::NoTransforms),
        icc_profile,
    })
}

/// Each block of 64 pixels takes at least one bit. The decoder fills missing blocks with gray.
fn is_too_short(file: &[u8], width: u32, height: u32) -> bool {
    let least_bytes = u64::from(width) * u64::from(height) / 64 / 8;
    u64::try_from(file.len()).is_ok_and(|length| length < least_bytes)
}

/// Number of components in the first scan, which the decoder does not tell.
fn first_scan(file: &[u8]) -> Option<u8> {
    let mut at = 2;
    loop {
        let segment = file.get(at..)?;
        match segment.get(..5)? {
            // Any number of these may be before a marker.
            [0xFF, 0xFF, ..] => at += 1,
            [0xFF, START_OF_SCAN, _, _, components] => return Some(*components),
            [0xFF, _, high, low, _] => at += 2 + usize::from(u16::from_be_bytes([*high, *low])),
            _ => return None,
        }
    }
}
