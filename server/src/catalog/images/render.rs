//! From SVG to PNG.

use app::ui::Bitmap;
use png::{ColorType, Compression, Encoder};
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{Options, Tree};

use crate::error::Error;

/// Renders an SVG of the bitmap's size. Takes up to a second: never call it on an async thread.
pub fn png_of(svg: &str, bitmap: Bitmap) -> Result<Vec<u8>, Error> {
    let (width, height) = bitmap.size();
    let tree = Tree::from_str(svg, &Options::default()).map_err(Error::internal)?;
    let mut pixels = Pixmap::new(width, height).ok_or_else(|| Error::internal("a bitmap without pixels"))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let rgb: Vec<u8> = pixels.pixels().iter().flat_map(|pixel| color(*pixel, bitmap)).collect();
    encoded(&rgb, bitmap).map_err(Error::internal)
}

/// The drawings are opaque. In an email the two lowest bits are cut off, which nobody sees at its size and which halves
/// the file.
fn color(pixel: PremultipliedColorU8, bitmap: Bitmap) -> [u8; 3] {
    let color = [pixel.red(), pixel.green(), pixel.blue()];
    match bitmap {
        Bitmap::LinkPreview | Bitmap::Square => color,
        Bitmap::Email => color.map(|channel| channel & 0b1111_1100),
    }
}

fn encoded(rgb: &[u8], bitmap: Bitmap) -> Result<Vec<u8>, png::EncodingError> {
    let (width, height) = bitmap.size();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_compression(match bitmap {
        Bitmap::LinkPreview | Bitmap::Square => Compression::Balanced,
        Bitmap::Email => Compression::High,
    });
    encoder.write_header()?.write_image_data(rgb)?;
    Ok(file)
}
