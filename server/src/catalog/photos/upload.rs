//! Uploads a photo. What makes it visible is written last, in one small transaction: an upload that fails or is
//! interrupted changes nothing that customers see.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use sqlx::AnyConnection;
use utoipa::IntoParams;
use wasm_core::catalog::{Photo, photo_alt};

use super::list::{self, Place};
use super::store;
use crate::accounts::Admin;
use crate::catalog::Catalog;
use crate::catalog::products::store::{self as catalog, Visible};
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::body_limits::{BinaryBody, BodyLimits};
use crate::http::extract::{Params, Path, discard_body, read_body};
use photo_processing::{MAX_FILE, Processed};

/// For 15 MB by a slow connection.
const ARRIVAL: Duration = Duration::from_secs(60);
const LIMITS: BodyLimits = BodyLimits { bytes: MAX_FILE, time: ARRIVAL };
/// Seconds after which a rejected upload may be repeated.
const RETRY_AFTER: u64 = 5;

#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct NewPhoto {
    /// Alternative text, at most 200 characters. For example: `Nudgelight One on a desk`.
    #[param(max_length = 200)]
    alt: Option<String>,
    /// Id of a photo of this product. The new one takes its place, and its alternative text if none is given. For
    /// example: `9f86d081884c7d659a2feaa0c55ad015`.
    replaces: Option<String>,
}

impl NewPhoto {
    fn place(self) -> Result<Place, Error> {
        let alt =
            self.alt.map(|alt| photo_alt(&alt)).transpose().map_err(|error| Error::invalid_field("alt", error))?;
        Ok(match self.replaces {
            Some(id) => Place::Of { id, alt },
            None => Place::Last { alt: alt.unwrap_or_default() },
        })
    }
}

error_responses!(UploadErrors: [QUERY, ADMIN] NotFound BodyTooLarge UnsupportedMediaType TooManyRequests);

/// Add a photo to a product
///
/// Takes a JPEG, PNG or WebP image of at most 15 MB and 50 megapixels, decided by its content, and returns the photo. The
/// shop serves its own smaller images of it, without its metadata. Animated images and other formats are a 400 with the
/// reason in `fields.photo`. A product has at most 12 photos. With `replaces`, the new photo takes the place of another one.
/// A third upload at the same time is a 429.
#[utoipa::path(
    post,
    path = "/api/products/{id}/photos",
    tag = "Catalog",
    params(
        ("id" = String, Path, description = "The product's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b"),
        NewPhoto,
    ),
    request_body(
        description = "The image.",
        content((BinaryBody = "image/*"), (BinaryBody = "application/octet-stream")),
    ),
    security(("accessToken" = [])),
    responses((status = 201, description = "The new photo.", body = Photo), UploadErrors),
)]
pub async fn add_photo(
    State(state): State<Arc<Catalog>>,
    Path(product_id): Path,
    Admin(_): Admin,
    Params(query): Params<NewPhoto>,
    request: Request,
) -> Result<(StatusCode, Json<Photo>), Error> {
    require_image(request.headers())?;
    let place = query.place()?;
    check_product(&state, &product_id, &place).await?;
    let Ok(_permit) = state.photos.uploads.clone().try_acquire_owned() else {
        // Closing the connection while the client still sends would lose the response.
        discard_body(request, LIMITS).await;
        return Err(too_many_uploads());
    };
    let file = read_body(request, LIMITS).await?;
    let processed = state.photos.process(file).await?;
    Ok((StatusCode::CREATED, Json(insert(&state, product_id, processed, place).await?)))
}

/// The content decides what the file is. This only rejects bodies that are certainly something else, such as a form.
fn require_image(headers: &HeaderMap) -> Result<(), Error> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = media_type.trim().to_ascii_lowercase();
    if media_type.starts_with("image/") || media_type.starts_with("application/octet-stream") {
        return Ok(());
    }
    Err(Error::new(
        Code::UnsupportedMediaType,
        "Send the photo itself as the body, as image/* or application/octet-stream.",
    ))
}

/// Before the file is read. Checked again when the photo is added.
async fn check_product(state: &Catalog, id: &str, place: &Place) -> Result<(), Error> {
    let found = catalog::find_product_by_name(state.db.read(), id, Visible::All).await?;
    let product = found.filter(|product| product.id == id).ok_or_else(list::product_not_found)?;
    list::check_place(&product.photos, place)
}

fn too_many_uploads() -> Error {
    Error::new(Code::TooManyRequests, "Two photos are being uploaded already. Please try again in a moment.")
        .retry_after(RETRY_AFTER)
}

/// Each variant in its own transaction, so that none is long.
async fn insert(state: &Catalog, product_id: String, processed: Processed, place: Place) -> Result<Photo, Error> {
    let Processed { photo, variants } = processed;
    let now = state.clock.now_ms();
    let args = (photo.clone(), now);
    state.db.write(args, |tx, (photo, now)| Box::pin(store::insert_photo(tx, photo, *now))).await?;
    for variant in variants {
        let args = (photo.id.clone(), variant);
        state.db.write(args, |tx, (id, variant)| Box::pin(store::insert_variant(tx, id, variant))).await?;
    }
    let args = (product_id, photo, place, now);
    let attach = state.db.write(args, |tx, (id, photo, place, now)| Box::pin(attach(tx, id, photo, place, *now)));
    attach.await
}

async fn attach(
    tx: &mut AnyConnection,
    product_id: &str,
    photo: &Photo,
    place: &Place,
    now: i64,
) -> Result<Photo, Error> {
    let product = list::lock(tx, product_id).await?;
    let photos = list::with_new(&product.photos, &photo.id, place)?;
    store::replace_photos(tx, product_id, &photos, now).await?;
    let listed = photos.into_iter().find(|listed| listed.id == photo.id);
    Ok(Photo { alt: listed.map(|listed| listed.alt).unwrap_or_default(), ..photo.clone() })
}
