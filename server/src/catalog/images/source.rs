//! What a product's bitmaps are made from: its first photograph, or else its drawing.

use app::ui::Bitmap;
use wasm_core::catalog::{Photo, Product};

/// Source of a product's bitmaps.
pub enum RasterSource<'a> {
    Photo(&'a Photo),
    Drawing,
}

pub fn raster_source(product: &Product) -> RasterSource<'_> {
    product.photos.first().map_or(RasterSource::Drawing, RasterSource::Photo)
}

/// A single picture of a product.
pub struct Picture {
    /// Path of the image.
    pub path: String,
    pub width: i64,
    pub height: i64,
    pub alt: String,
}

/// Width of a photograph, if it is that wide.
const PHOTO_WIDTH: i64 = 1200;
/// Width and height of a drawing, which scales.
const DRAWING_SIZE: (i64, i64) = (480, 360);

/// The picture on a page.
pub fn main_picture(product: &Product) -> Picture {
    match raster_source(product) {
        RasterSource::Photo(photo) => of_photo(product, photo),
        RasterSource::Drawing => {
            let (width, height) = DRAWING_SIZE;
            Picture { path: product.image.clone(), width, height, alt: drawing_of(product) }
        }
    }
}

/// The picture that is displayed with a link to a product (Open Graph).
pub fn link_preview(product: &Product) -> Picture {
    match raster_source(product) {
        RasterSource::Photo(photo) => of_photo(product, photo),
        RasterSource::Drawing => {
            let (width, height) = Bitmap::LinkPreview.size();
            let path = format!("/images/{}-preview.png", product.slug);
            Picture { path, width: width.into(), height: height.into(), alt: drawing_of(product) }
        }
    }
}

fn of_photo(product: &Product, photo: &Photo) -> Picture {
    let width = photo.width.min(PHOTO_WIDTH);
    let height = photo.height * width / photo.width.max(1);
    let alt = if photo.alt.is_empty() { product.name.clone() } else { photo.alt.clone() };
    Picture { path: photo.preview(), width, height, alt }
}

fn drawing_of(product: &Product) -> String {
    format!("Drawing of {}", product.name)
}

/// URLs of a product's photographs and of its drawing as a bitmap, for search engines and feeds, which accept no SVG.
pub fn raster_images(product: &Product, public_url: &str) -> Vec<String> {
    let drawing = format!("/images/{}-1200.png", product.slug);
    let paths = product.photos.iter().map(Photo::largest).chain([drawing]);
    paths.map(|path| format!("{public_url}{path}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_come_first_in_their_largest_width() {
        let photo = |id: &str, width| Photo { id: id.to_owned(), width, height: width, ..Photo::default() };
        let photos = vec![photo("a", 1920), photo("b", 1000), photo("c", 200)];
        let product = Product { slug: "one".to_owned(), photos, ..Product::default() };
        let files = ["photos/a-1920.jpg", "photos/b-1000.jpg", "photos/c-200.jpg", "one-1200.png"];
        assert_eq!(
            raster_images(&product, "https://shop.example"),
            files.map(|file| format!("https://shop.example/images/{file}"))
        );
    }
}
