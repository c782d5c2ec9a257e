//! The photos of a product: their order, alternative texts and removal.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use sqlx::AnyConnection;
use wasm_core::catalog::{ListedPhoto, MAX_PHOTOS, Photo, PhotoList, Product};

use super::store;
use crate::accounts::Admin;
use crate::catalog::Catalog;
use crate::catalog::products::store as catalog;
use crate::error::responses::error_responses;
use crate::error::{Code, Error};
use crate::http::extract::{Body, Path};

error_responses!(UpdateErrors: [BODY, ADMIN] NotFound EditConflict);

/// Update the photos of a product
///
/// Sets the order of the photos and their alternative texts, removes those that are left out, and returns the product.
/// Photos are added by `POST`. With `version`, an edit of an outdated product is an `EditConflict`.
#[utoipa::path(
    patch,
    path = "/api/products/{id}/photos",
    tag = "Catalog",
    params(("id" = String, Path, description = "The product's id.", example = "0193a1b2-6c3d-7e4f-8a5b-1c2d3e4f5a6b")),
    request_body = PhotoList,
    security(("accessToken" = [])),
    responses((status = 200, description = "The updated product.", body = Product), UpdateErrors),
)]
pub async fn update_photos(
    State(state): State<Arc<Catalog>>,
    Path(id): Path,
    Admin(_): Admin,
    Body(list): Body<PhotoList>,
) -> Result<Json<Product>, Error> {
    let args = (id, list, state.clock.now_ms());
    let update = state.db.write(args, |tx, (id, list, now)| Box::pin(update(tx, id, list, *now)));
    Ok(Json(update.await?))
}

async fn update(tx: &mut AnyConnection, id: &str, list: &PhotoList, now: i64) -> Result<Product, Error> {
    let before = lock(tx, id).await?;
    if list.version.is_some_and(|version| version != before.version) {
        return Err(Error::edit_conflict(&before, "This product was changed by someone else."));
    }
    let current: Vec<String> = before.photos.into_iter().map(|photo| photo.id).collect();
    let list = list.clone().validated(&current).map_err(Error::invalid)?;
    store::replace_photos(tx, id, &list.photos, now).await?;
    catalog::find_product(tx, id).await?.ok_or_else(product_not_found)
}

/// The product, locked until the transaction ends.
pub async fn lock(tx: &mut AnyConnection, id: &str) -> Result<Product, Error> {
    catalog::lock_product(tx, id).await?;
    catalog::find_product(tx, id).await?.ok_or_else(product_not_found)
}

pub fn product_not_found() -> Error {
    Error::new(Code::NotFound, "Product not found")
}

/// Where a new photo goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// After the other photos, with this alternative text.
    Last { alt: String },
    /// In place of the photo with this id; without an alternative text, with that photo's.
    Of { id: String, alt: Option<String> },
}

/// The list with a new photo.
///
/// # Errors
/// If the product has no room for it, already has it, or lacks the photo to replace.
pub fn with_new(photos: &[Photo], new_id: &str, place: &Place) -> Result<Vec<ListedPhoto>, Error> {
    check_place(photos, place)?;
    let replaced = match place {
        Place::Last { .. } => None,
        Place::Of { id, .. } => Some(id.as_str()),
    };
    if photos.iter().any(|photo| photo.id == new_id && replaced != Some(new_id)) {
        return Err(Error::invalid_field("photo", "This product already has this photo."));
    }
    let mut list: Vec<ListedPhoto> = photos.iter().map(listed).collect();
    match place {
        Place::Last { alt } => list.push(ListedPhoto { id: new_id.to_owned(), alt: alt.clone() }),
        Place::Of { id, alt } => {
            for photo in list.iter_mut().filter(|photo| photo.id == *id) {
                let alt = alt.clone().unwrap_or_else(|| photo.alt.clone());
                *photo = ListedPhoto { id: new_id.to_owned(), alt };
            }
        }
    }
    Ok(list)
}

/// Whether a photo can be added, before the file is known.
pub fn check_place(photos: &[Photo], place: &Place) -> Result<(), Error> {
    match place {
        Place::Last { .. } if photos.len() >= MAX_PHOTOS => {
            let message = format!("A product can have up to {MAX_PHOTOS} photos. Remove one first.");
            Err(Error::invalid_field("photo", message))
        }
        Place::Of { id, .. } if photos.iter().all(|photo| photo.id != *id) => {
            Err(Error::invalid_field("replaces", "This product has no such photo."))
        }
        Place::Last { .. } | Place::Of { .. } => Ok(()),
    }
}

fn listed(photo: &Photo) -> ListedPhoto {
    ListedPhoto { id: photo.id.clone(), alt: photo.alt.clone() }
}
