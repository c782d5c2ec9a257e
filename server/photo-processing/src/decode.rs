//! Decodes a file by its content: neither its name nor its media type is looked at.

use std::io::Cursor;

use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageResult, Limits};

use super::decoded::Decoded;
use super::error::PhotoError;
use super::scale::Picture;
use super::size::check_size;
use super::{jpeg, memory};

/// Memory of the PNG decoder besides the pixels, for lines and metadata.
const PNG_BUFFERS: u64 = 16 * 1024 * 1024;

pub fn decode(file: &[u8]) -> Result<Decoded, PhotoError> {
    if file.is_empty() {
        return Err(PhotoError::Empty);
    }
    match image::guess_format(file) {
        Ok(ImageFormat::Jpeg) => jpeg::decode(file),
        Ok(ImageFormat::Png) => decode_png(file),
        Ok(ImageFormat::WebP) => decode_webp(file),
        _ => Err(PhotoError::UnknownFormat),
    }
}

fn decode_png(file: &[u8]) -> Result<Decoded, PhotoError> {
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(PNG_BUFFERS);
    let decoder = PngDecoder::with_limits(Cursor::new(file), limits).map_err(|error| match error {
        // A single line is larger than that.
        ImageError::Limits(_) => PhotoError::TooManyPixels,
        _ => PhotoError::Damaged,
    })?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    if decoder.is_apng().map_err(|_| PhotoError::Damaged)? {
        return Err(PhotoError::Animated);
    }
    memory::check(width, height, memory::of_png(decoder.color_type()))?;
    read(decoder).map_err(|_| PhotoError::Damaged)
}

fn decode_webp(file: &[u8]) -> Result<Decoded, PhotoError> {
    let decoder = WebPDecoder::new(Cursor::new(file)).map_err(|_| PhotoError::Damaged)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    if decoder.has_animation() {
        return Err(PhotoError::Animated);
    }
    memory::check(width, height, memory::of_webp(decoder.color_type()))?;
    read(decoder).map_err(|_| PhotoError::Damaged)
}

fn read(mut decoder: impl ImageDecoder) -> ImageResult<Decoded> {
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let icc_profile = decoder.icc_profile().unwrap_or(None);
    let picture = opaque(DynamicImage::from_decoder(decoder)?);
    Ok(Decoded { picture, orientation, icc_profile })
}

/// Transparent pixels are shown on white, as on paper.
fn opaque(image: DynamicImage) -> Picture {
    let (width, height) = (image.width(), image.height());
    if !image.color().has_alpha() {
        return Picture { width, height, rgb: image.into_rgb8().into_raw() };
    }
    let mut pixels = image.into_rgba8().into_raw();
    let count = pixels.len() / 4;
    // In place: a second copy of a large image would not fit in memory.
    for pixel in 0..count {
        for channel in 0..3 {
            pixels[pixel * 3 + channel] = on_white(pixels[pixel * 4 + channel], pixels[pixel * 4 + 3]);
        }
    }
    pixels.truncate(count * 3);
    Picture { width, height, rgb: pixels }
}

fn on_white(value: u8, alpha: u8) -> u8 {
    let (value, alpha) = (u32::from(value), u32::from(alpha));
    u8::try_from((value * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(u8::MAX)
}
