//! A decoded picture, before it is turned upright and converted to sRGB.

use image::metadata::Orientation;

use super::color;
use super::error::PhotoError;
use super::scale::Picture;

/// A picture as the file has it: possibly turned, possibly in another color space.
pub struct Decoded {
    pub picture: Picture,
    pub orientation: Orientation,
    pub icc_profile: Option<Vec<u8>>,
}

impl Decoded {
    pub fn upright_size(&self) -> (u32, u32) {
        let (width, height) = (self.picture.width, self.picture.height);
        if is_turned(self.orientation) { (height, width) } else { (width, height) }
    }

    /// The picture in sRGB, upright and scaled to this width.
    pub fn scaled_upright(self, width: u32) -> Result<Picture, PhotoError> {
        let Self { picture, orientation, icc_profile } = self;
        let scaled = match is_turned(orientation) {
            true => picture.scaled_to_height(width)?,
            false => picture.scaled_to(width)?,
        };
        let scaled = match icc_profile {
            Some(profile) => color::to_srgb(scaled, &profile),
            None => scaled,
        };
        scaled.turned(orientation)
    }
}

fn is_turned(orientation: Orientation) -> bool {
    use Orientation::{Rotate90, Rotate90FlipH, Rotate270, Rotate270FlipH};
    matches!(orientation, Rotate90 | Rotate270 | Rotate90FlipH | Rotate270FlipH)
}
