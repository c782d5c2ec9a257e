//! Patches of products.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

#[cfg(feature = "openapi")]
use super::schema;
use super::{Dimensions, Plug, ProductInput};
use crate::catalog::{DeviceForm, LampColor};
use crate::money::Cents;
use crate::weight::Weight;
use crate::wire::{cleared_by_null, cleared_by_null_whole_number, non_null, non_null_whole_number};

/// Patch of a product. Absent members stay unchanged; `null` is invalid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({
    "price": 22.99,
    "version": 3,
}))))]
pub struct ProductPatch {
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::name, required = false))]
    pub name: Option<String>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::description, required = false))]
    pub description: Option<String>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::price, required = false))]
    #[cfg_attr(feature = "js-types", tsify(type = "Dollars"))]
    pub price: Option<Cents>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::stock, required = false))]
    pub stock: Option<i64>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::weight, required = false))]
    #[cfg_attr(feature = "js-types", tsify(type = "Pounds"))]
    pub weight_pounds: Option<Weight>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub active: Option<bool>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub form: Option<DeviceForm>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub lamp_color: Option<LampColor>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Dimensions>))]
    pub dimensions: Option<Option<Dimensions>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Plug>))]
    pub plug: Option<Option<Plug>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::cable_length, required = false))]
    pub cable_length_mm: Option<Option<i64>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::power, required = false))]
    pub power_mw: Option<Option<i64>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::led_color, required = false))]
    pub led_color: Option<Option<String>>,
    /// As in `ProductInput`.
    #[serde(default, deserialize_with = "non_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::in_the_box, required = false))]
    pub in_the_box: Option<Vec<String>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::warranty, required = false))]
    pub warranty_months: Option<Option<i64>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::sku, required = false))]
    pub sku: Option<Option<String>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::gtin, required = false))]
    pub gtin: Option<Option<String>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::country, required = false))]
    pub origin_country: Option<Option<String>>,
    /// As in `ProductInput`; `null` clears it.
    #[serde(default, deserialize_with = "cleared_by_null", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(schema_with = schema::hs_code, required = false))]
    pub hs_code: Option<Option<String>>,
    /// Version of the product that was edited (optimistic concurrency): if it is sent and outdated, the edit is a
    /// conflict.
    #[serde(default, deserialize_with = "non_null_whole_number", skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub version: Option<i64>,
}

impl ProductPatch {
    /// The fields with this patch applied.
    #[must_use]
    pub fn applied_to(self, before: ProductInput) -> ProductInput {
        ProductInput {
            name: self.name.unwrap_or(before.name),
            description: self.description.unwrap_or(before.description),
            price: self.price.unwrap_or(before.price),
            stock: self.stock.unwrap_or(before.stock),
            weight_pounds: self.weight_pounds.unwrap_or(before.weight_pounds),
            active: self.active.unwrap_or(before.active),
            form: self.form.unwrap_or(before.form),
            lamp_color: self.lamp_color.unwrap_or(before.lamp_color),
            dimensions: self.dimensions.unwrap_or(before.dimensions),
            plug: self.plug.unwrap_or(before.plug),
            cable_length_mm: self.cable_length_mm.unwrap_or(before.cable_length_mm),
            power_mw: self.power_mw.unwrap_or(before.power_mw),
            led_color: self.led_color.unwrap_or(before.led_color),
            in_the_box: self.in_the_box.unwrap_or(before.in_the_box),
            warranty_months: self.warranty_months.unwrap_or(before.warranty_months),
            sku: self.sku.unwrap_or(before.sku),
            gtin: self.gtin.unwrap_or(before.gtin),
            origin_country: self.origin_country.unwrap_or(before.origin_country),
            hs_code: self.hs_code.unwrap_or(before.hs_code),
        }
    }
}
