//! Pictures in memory: scaling, turning and their average color.

use fast_image_resize::images::{TypedImage, TypedImageRef};
use fast_image_resize::pixels::U8x3;
use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::metadata::Orientation;
use image::{DynamicImage, RgbImage};
use wasm_core::catalog::photo_height;

use super::error::PhotoError;

const BYTES_PER_PIXEL: u64 = 3;

/// Red, green and blue of each pixel, row by row.
pub struct Picture {
    pub width: u32,
    pub height: u32,
    pub rgb: Vec<u8>,
}

impl Picture {
    pub fn scaled_to(self, width: u32) -> Result<Self, PhotoError> {
        let height = scaled(self.width, self.height, width)?;
        self.resized(width, height)
    }

    pub fn scaled_to_height(self, height: u32) -> Result<Self, PhotoError> {
        let width = scaled(self.height, self.width, height)?;
        self.resized(width, height)
    }

    pub fn resized(self, width: u32, height: u32) -> Result<Self, PhotoError> {
        if (width, height) == (self.width, self.height) {
            return Ok(self);
        }
        // Typed images: the untyped ones add the code of every pixel type to the program, several megabytes.
        let source = TypedImageRef::<U8x3>::from_buffer(self.width, self.height, &self.rgb);
        let source = source.map_err(|_| PhotoError::Damaged)?;
        let bytes = u64::from(width).saturating_mul(height.into()).saturating_mul(BYTES_PER_PIXEL);
        let mut rgb = vec![0; usize::try_from(bytes).map_err(|_| PhotoError::Damaged)?];
        let resized = TypedImage::<U8x3>::from_buffer(width, height, &mut rgb);
        let mut resized = resized.map_err(|_| PhotoError::Damaged)?;
        let options = ResizeOptions::new().resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3));
        Resizer::new().resize_typed(&source, &mut resized, &options).map_err(|_| PhotoError::Damaged)?;
        Ok(Self { width, height, rgb })
    }

    pub fn turned(self, orientation: Orientation) -> Result<Self, PhotoError> {
        if orientation == Orientation::NoTransforms {
            return Ok(self);
        }
        let image = RgbImage::from_raw(self.width, self.height, self.rgb).ok_or(PhotoError::Damaged)?;
        let mut image = DynamicImage::ImageRgb8(image);
        image.apply_orientation(orientation);
        Ok(Self { width: image.width(), height: image.height(), rgb: image.into_rgb8().into_raw() })
    }

    /// `#rrggbb`
    pub fn average_color(&self) -> String {
        let pixels = u64::from(self.width) * u64::from(self.height);
        let average = [0, 1, 2].map(|channel| {
            let values = self.rgb.iter().skip(channel).step_by(3);
            let sum: u64 = values.map(|value| u64::from(*value)).sum();
            u8::try_from((sum + pixels / 2) / pixels.max(1)).unwrap_or(u8::MAX)
        });
        format!("#{}", hex::encode(average))
    }
}

/// The other side of a picture when one side is scaled.
fn scaled(side: u32, other: u32, to: u32) -> Result<u32, PhotoError> {
    u32::try_from(photo_height(side.into(), other.into(), to.into())).map_err(|_| PhotoError::TooNarrow)
}
