//! From an uploaded file to the images that are served: decoded, turned upright, converted to sRGB, scaled and encoded
//! again. Nothing of the file itself is served, so neither its metadata nor anything hidden in it.
//!
//! A crate of its own, because it is optimized in every profile: docs/adr/0059.

mod color;
mod decode;
mod decoded;
mod encode;
mod error;
mod jpeg;
mod memory;
mod scale;
mod size;

use sha2::{Digest as _, Sha256};
use wasm_core::catalog::{Photo, photo_height, photo_widths};

pub use encode::{Format, Variant};
pub use error::PhotoError;

/// Maximum size of an uploaded file, in bytes.
pub const MAX_FILE: usize = 15 * 1024 * 1024;
/// Digits of a photo's id, of the SHA-256 of the uploaded file.
const ID_DIGITS: usize = 32;

/// A photo, without an alternative text, and its variants.
#[derive(Debug)]
pub struct Processed {
    pub photo: Photo,
    pub variants: Vec<Variant>,
}

/// Takes up to seconds, and the process up to 420 MB: one at a time, never on an async thread.
///
/// # Errors
/// Why the file is rejected.
pub fn process(file: impl AsRef<[u8]>) -> Result<Processed, PhotoError> {
    let id = id_of(file.as_ref());
    let decoded = decode::decode(file.as_ref())?;
    drop(file);
    let (width, height) = decoded.upright_size();
    let photo_size = (i64::from(width), i64::from(height));
    let widths = photo_widths(photo_size.0, photo_size.1);
    let mut widths = widths.into_iter().rev().filter_map(|width| u32::try_from(width).ok()).peekable();
    let largest = *widths.peek().ok_or(PhotoError::TooNarrow)?;
    // Scaling first: what follows works on a small picture.
    let mut picture = decoded.scaled_upright(largest)?;
    let color = picture.average_color();
    let mut variants = Vec::new();
    for width in widths {
        let scaled_height = photo_height(photo_size.0, photo_size.1, width.into());
        picture = picture.resized(width, u32::try_from(scaled_height).map_err(|_| PhotoError::TooNarrow)?)?;
        variants.extend(encode::encode(&picture)?);
    }
    let photo = Photo { id, alt: String::new(), width: width.into(), height: height.into(), color };
    Ok(Processed { photo, variants })
}

/// The id of a photo: equal files are one photo.
fn id_of(file: &[u8]) -> String {
    let mut id = hex::encode(Sha256::digest(file));
    id.truncate(ID_DIGITS);
    id
}

/// Whether this can be the id of a photo.
pub fn is_id(text: &str) -> bool {
    text.len() == ID_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
