//! Serves photos. A photo never changes, so clients may cache it forever.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::store;
use crate::catalog::Catalog;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::Path;
use crate::http::response_cache::{CachedResponse, Document};
use photo_processing::{Format, is_id};

const FOREVER: &str = "public, max-age=31536000, immutable";

error_responses!(PhotoErrors: [NONE] NotFound);

/// Get a photo
///
/// Returns a photo of a product as WebP or JPEG in one of its widths: 200, 360, 720, 1200, 1920 or, if the original is
/// smaller than that, its own. A photo never changes. An unknown one is a 404.
#[utoipa::path(
    get,
    path = "/images/photos/{file}",
    tag = "Shop",
    params((
        "file" = String,
        Path,
        description = "The photo's id, a hyphen, the width, and the extension `.webp` or `.jpg`.",
        example = "9f86d081884c7d659a2feaa0c55ad015-720.webp",
    )),
    responses(
        (status = 200, description = "The photo.", content((Vec<u8> = "image/webp"), (Vec<u8> = "image/jpeg"))),
        (status = 304, description = "Not modified: `If-None-Match` has the current ETag."),
        PhotoErrors
    ),
)]
pub async fn get_photo(
    State(state): State<Arc<Catalog>>,
    Path(file): Path,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let missing = || Error::new(Code::NotFound, "Photo not found.");
    let name = FileName::parse(&file).ok_or_else(missing)?;
    let load = async {
        let found = store::find_variant(state.db.read(), name.id, name.width, name.format).await?;
        let body = found.ok_or_else(missing)?.into();
        let document = Document {
            route: "/images/photos/{file}",
            content_type: name.format.media_type(),
            cache_control: FOREVER,
            csp: None,
            body,
        };
        Ok(Arc::new(CachedResponse::uncompressed(document, &state.common_headers)))
    };
    Ok(state.photos.cache.get_or_load(&file, load).await?.respond(&headers))
}

/// `{id}-{width}.{extension}`
#[derive(Debug, PartialEq, Eq)]
struct FileName<'f> {
    id: &'f str,
    width: u32,
    format: Format,
}

impl<'f> FileName<'f> {
    /// Only the canonical form of a name: each photo is in the cache once.
    fn parse(file: &'f str) -> Option<Self> {
        let (name, extension) = file.split_once('.')?;
        let (id, digits) = name.split_once('-')?;
        let format = Format::ALL.into_iter().find(|format| format.as_str() == extension)?;
        let width: u32 = digits.parse().ok()?;
        (is_id(id) && width.to_string() == digits).then_some(Self { id, width, format })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "9f86d081884c7d659a2feaa0c55ad015";

    #[test]
    fn a_file_has_one_name() {
        let name = format!("{ID}-720.webp");
        assert_eq!(FileName::parse(&name), Some(FileName { id: ID, width: 720, format: Format::WebP }));
        for other in ["-0720.webp", "-+720.webp", "-720.png", "-720.webp.jpg", "-720", "--720.jpg", ".webp"] {
            assert_eq!(FileName::parse(&format!("{ID}{other}")), None, "{other}");
        }
        for id in [ID.to_uppercase(), "..".to_owned(), String::new(), format!("{ID}0")] {
            assert_eq!(FileName::parse(&format!("{id}-720.jpg")), None, "{id}");
        }
    }
}
