//! Changes to an order by an administrator.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::OrderStatus;
use crate::validation::{Address, FieldErrors, validate_tracking_number};
use crate::wire::{clearable, non_null, non_null_whole_number};

/// Patch of an order. Absent members stay unchanged; `null` is invalid everywhere but in `tracking_number`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "status": "shipped",
    "tracking_number": "9400111899223817253416",
    "version": 2,
}))))]
pub struct OrderPatch {
    /// The new status. The first change to `refunded` refunds the payment.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub status: Option<OrderStatus>,
    /// The new shipping address, complete.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub address: Option<Address>,
    /// The new tracking number. `null` or the empty text clears it.
    #[serde(default, deserialize_with = "clearable", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "js-types", tsify(type = "string | null"))]
    pub tracking_number: Option<String>,
    /// Whether a new tracking number is rejected if its check digit is wrong, a spreadsheet has rounded it, or another order
    /// has it.
    #[serde(default)]
    pub check_tracking_number: bool,
    /// Whether a change to `refunded` returns the items to stock.
    #[serde(default)]
    pub restock: bool,
    /// Whether a change to `shipped` emails the customer; `true` if absent.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub notify_customer: Option<bool>,
    /// Version of the order that was edited (optimistic concurrency): if it is sent and outdated, the edit is a
    /// conflict.
    #[serde(default, deserialize_with = "non_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub version: Option<i64>,
}

impl OrderPatch {
    /// The patch with trimmed texts and a validated address.
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
    /// A message for each invalid field, under `tracking_number` and `address.…`.
    pub fn validated(self) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::default();
        let address = self
            .address
            .map(Address::validated)
            .and_then(|address| address.map_err(|inner| errors.merge_nested("address", inner)).ok());
        let tracking_number = self.tracking_number.map(|typed| {
            errors.check("tracking_number", validate_tracking_number(&typed)).flatten().unwrap_or_default()
        });
        errors.into_result(Self { address, tracking_number, ..self })
    }
}
