//! The photos of a product as an administrator orders them.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::validation::{FieldErrors, Lines, Message, TextRule};
use crate::wire::non_null_whole_number;

/// Photos of one product.
pub const MAX_PHOTOS: usize = 12;
const MAX_ALT: usize = 200;
const ALT: TextRule = TextRule { missing: "", noun: "Alternative text", max: MAX_ALT, lines: Lines::One };

/// A photo in the order of its product's photos.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedPhoto {
    /// One of the product's photos.
    pub id: String,
    /// Alternative text, at most 200 characters; may be empty.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(max_length = 200))]
    pub alt: String,
}

/// All photos of a product, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "photos": [{ "id": "9f86d081884c7d659a2feaa0c55ad015", "alt": "Nudgelight One on a desk" }],
    "version": 3,
}))))]
pub struct PhotoList {
    /// The first one is the product's main photo. A photo that is left out is removed.
    #[cfg_attr(feature = "openapi", schema(max_items = 12))]
    pub photos: Vec<ListedPhoto>,
    /// Version of the product that was edited (optimistic concurrency): if it is sent and outdated, the edit is a
    /// conflict.
    #[serde(default, deserialize_with = "non_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub version: Option<i64>,
}

impl PhotoList {
    /// The list with trimmed texts, if it consists of `current` photos, each at most once.
    ///
    /// # Errors
    /// A message for each invalid field.
    pub fn validated(self, current: &[String]) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let mut photos: Vec<ListedPhoto> = Vec::new();
        for (index, photo) in self.photos.into_iter().enumerate() {
            if photos.iter().any(|other| other.id == photo.id) {
                errors.insert(format!("photos[{index}].id"), "This photo is listed twice.");
            } else if !current.contains(&photo.id) {
                errors.insert(format!("photos[{index}].id"), "This product has no such photo.");
            }
            let alt = errors.check(&format!("photos[{index}].alt"), photo_alt(&photo.alt)).unwrap_or_default();
            photos.push(ListedPhoto { id: photo.id, alt });
        }
        errors.into_result(Self { photos, ..self })
    }
}

/// A trimmed alternative text.
///
/// # Errors
/// A message for people.
pub fn photo_alt(typed: &str) -> Result<String, Message> {
    Ok(ALT.optional(typed)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::vec;

    use super::*;

    fn list(photos: &[(&str, &str)]) -> PhotoList {
        let photos = photos.iter().map(|(id, alt)| ListedPhoto { id: (*id).to_owned(), alt: (*alt).to_owned() });
        PhotoList { photos: photos.collect(), version: None }
    }

    #[test]
    fn a_list_may_reorder_describe_and_leave_out() {
        let current = vec!["a".to_owned(), "b".to_owned(), "c".to_owned()];
        let checked = list(&[("c", " on a desk "), ("a", "")]).validated(&current).unwrap();
        assert_eq!(checked, list(&[("c", "on a desk"), ("a", "")]));
    }

    #[test]
    fn each_wrong_photo_is_named() {
        let long = "x".repeat(201);
        let errors = list(&[("a", ""), ("a", "line\nbreak"), ("z", &long)]).validated(&["a".to_owned()]).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["photos[1].alt", "photos[1].id", "photos[2].alt", "photos[2].id"]);
    }
}
