//! The sizes in which a photograph is served, derived from its original size, so that no list of them has to be sent.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::Photo;

/// A thumbnail, a card on a phone, the main picture on a phone with few and with many pixels per point (which is also the
/// card and the main picture of a computer), and an enlarged picture.
const WIDTHS: [i64; 5] = [200, 360, 720, 1200, 1920];
/// Pixels of the largest size: a tall photograph has fewer widths.
const MAX_PIXELS: i64 = 4_000_000;
/// Width for previews of links, and for places with a single size.
const PREVIEW: i64 = 1200;

impl Photo {
    /// URL of the JPEG for places that take a single image.
    #[must_use]
    pub fn preview(&self) -> String {
        let widths = photo_widths(self.width, self.height);
        let width = widths.iter().find(|width| **width >= PREVIEW).or(widths.last());
        self.url(width.copied().unwrap_or(PREVIEW), "jpg")
    }

    /// URL of the largest JPEG.
    #[must_use]
    pub fn largest(&self) -> String {
        self.url(photo_widths(self.width, self.height).last().copied().unwrap_or(PREVIEW), "jpg")
    }

    /// URLs of all widths with this extension, `webp` or `jpg`, as the value of `srcset`.
    ///
    /// ```
    /// use wasm_core::catalog::Photo;
    ///
    /// let photo = Photo { id: "9f86d0".into(), width: 500, height: 300, ..Photo::default() };
    /// assert_eq!(photo.srcset("webp"), "/images/photos/9f86d0-200.webp 200w, /images/photos/9f86d0-360.webp 360w, /images/photos/9f86d0-500.webp 500w");
    /// ```
    #[must_use]
    pub fn srcset(&self, extension: &str) -> String {
        let widths = photo_widths(self.width, self.height);
        let urls: Vec<String> =
            widths.into_iter().map(|width| format!("{} {width}w", self.url(width, extension))).collect();
        urls.join(", ")
    }

    fn url(&self, width: i64, extension: &str) -> String {
        format!("/images/photos/{}-{width}.{extension}", self.id)
    }
}

/// Widths in ascending order, never above the original one. Empty only for photographs more than 100 times as tall as they
/// are wide, which the shop rejects.
///
/// ```
/// use wasm_core::catalog::photo_widths;
///
/// assert_eq!(photo_widths(4000, 3000), [200, 360, 720, 1200, 1920]);
/// assert_eq!(photo_widths(700, 500), [200, 360, 700]);
/// ```
#[must_use]
pub fn photo_widths(width: i64, height: i64) -> Vec<i64> {
    let mut widths: Vec<i64> = WIDTHS.iter().map(|step| (*step).min(width)).collect();
    widths.dedup();
    widths.retain(|step| step.saturating_mul(photo_height(width, height, *step)) <= MAX_PIXELS);
    widths
}

/// Height of a photograph that is scaled to a width, at least one pixel.
///
/// ```
/// assert_eq!(wasm_core::catalog::photo_height(4000, 3000, 320), 240);
/// ```
#[must_use]
pub fn photo_height(width: i64, height: i64, scaled_width: i64) -> i64 {
    let width = width.max(1);
    (height.saturating_mul(scaled_width).saturating_add(width / 2) / width).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_is_never_enlarged() {
        assert_eq!(photo_widths(1, 1), [1]);
        assert_eq!(photo_widths(199, 200), [199]);
        assert_eq!(photo_widths(200, 200), [200]);
        assert_eq!(photo_widths(1920, 1080), [200, 360, 720, 1200, 1920]);
    }

    #[test]
    fn a_tall_photo_has_fewer_widths_and_at_least_one() {
        assert_eq!(photo_widths(3000, 12_000), [200, 360, 720]);
        assert_eq!(photo_widths(1000, 30_000), [200, 360]);
    }

    #[test]
    fn a_line_of_pixels_keeps_a_height() {
        assert_eq!(photo_height(50_000, 1, 320), 1);
        assert_eq!(photo_height(3, 2, 2), 1);
    }

    #[test]
    fn the_preview_is_the_width_next_to_1200_pixels() {
        let photo = |width, height| Photo { id: "a".into(), width, height, ..Photo::default() };
        assert_eq!(photo(4000, 3000).preview(), "/images/photos/a-1200.jpg");
        assert_eq!(photo(1000, 800).preview(), "/images/photos/a-1000.jpg");
        assert_eq!(photo(700, 500).preview(), "/images/photos/a-700.jpg");
    }
}
