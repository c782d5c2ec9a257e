//! What an administrator may change of an order.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::OrderStatus;
use crate::validation::{Address, FieldErrors, validate_tracking_number};
use crate::wire::{clearable, present, present_whole_number};

/// A change to an order: what is absent stays, `null` is refused everywhere but in `tracking_number`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OrderPatch {
    /// The new status. The first move to `refunded` gives the money back.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub status: Option<OrderStatus>,
    /// The new shipping address, whole.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub address: Option<Address>,
    /// The new tracking number; `null` or the empty text clears it, and both are read as the empty text.
    #[serde(default, deserialize_with = "clearable", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "js", tsify(type = "string | null"))]
    pub tracking_number: Option<String>,
    /// With `refunded`: put the goods back on the shelf.
    #[serde(default)]
    pub restock: bool,
    /// The version that was edited. Where it is sent, an edit in between is a conflict.
    #[serde(default, deserialize_with = "present_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub version: Option<i64>,
}

impl OrderPatch {
    /// The change with its texts trimmed and its address checked.
    ///
    /// ```
    /// use wasm_core::orders::OrderPatch;
    ///
    /// let patch: OrderPatch = serde_json::from_str(r#"{"status": "shipped", "tracking_number": null}"#)?;
    /// assert_eq!(patch.validated().unwrap().tracking_number.as_deref(), Some(""));
    /// assert!(serde_json::from_str::<OrderPatch>(r#"{"status": null}"#).is_err());
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// A sentence for each wrong field, under `tracking_number` and `address.…`.
    pub fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let address = self
            .address
            .map(Address::validated)
            .and_then(|address| address.map_err(|inner| errors.merge_under("address", inner)).ok());
        let tracking_number = self.tracking_number.map(|typed| {
            errors.keep("tracking_number", validate_tracking_number(&typed)).flatten().unwrap_or_default()
        });
        errors.or_valid(Self { address, tracking_number, ..self })
    }
}
