//! Encodes a picture as WebP and JPEG.

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder as _};
use webp::Encoder as WebPEncoder;

use super::error::PhotoError;
use super::scale::Picture;

/// Maximum size of a variant, in bytes, so that one transaction stores it quickly.
const MAX_BYTES: usize = 1_000_000;
/// The first that stays below the maximum size is taken, which is almost always the first of all.
const QUALITIES: [u8; 3] = [75, 45, 10];

#[derive(Debug)]
pub struct Variant {
    pub width: u32,
    pub format: Format,
    pub bytes: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    WebP,
    Jpeg,
}

impl Format {
    pub const ALL: [Self; 2] = [Self::WebP, Self::Jpeg];

    /// Extension of the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::WebP => "webp",
            Self::Jpeg => "jpg",
        }
    }

    pub fn media_type(self) -> &'static str {
        match self {
            Self::WebP => "image/webp",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// The picture in every format.
pub fn encode(picture: &Picture) -> Result<Vec<Variant>, PhotoError> {
    let variant = |format| Ok(Variant { width: picture.width, format, bytes: small_enough(picture, format)? });
    Format::ALL.into_iter().map(variant).collect()
}

fn small_enough(picture: &Picture, format: Format) -> Result<Vec<u8>, PhotoError> {
    let encoded = QUALITIES.iter().map(|quality| match format {
        Format::WebP => webp(picture, *quality),
        Format::Jpeg => jpeg(picture, *quality),
    });
    encoded.flatten().find(|bytes| bytes.len() <= MAX_BYTES).ok_or(PhotoError::TooDetailed)
}

fn webp(picture: &Picture, quality: u8) -> Option<Vec<u8>> {
    let encoder = WebPEncoder::from_rgb(&picture.rgb, picture.width, picture.height);
    Some(encoder.encode_simple(false, f32::from(quality)).ok()?.to_vec())
}

fn jpeg(picture: &Picture, quality: u8) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, quality);
    encoder.write_image(&picture.rgb, picture.width, picture.height, ExtendedColorType::Rgb8).ok()?;
    Some(bytes)
}
