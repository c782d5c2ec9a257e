//! Product form.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};

use super::facts::{Dimensions, Plug, optional_whole};
use super::input::ProductInput;
use crate::catalog::{CardPicture, DeviceForm, LampColor};
use crate::money::Cents;
use crate::validation::FieldErrors;
use crate::weight::Weight;
use crate::wire::null_as_default;

/// Texts of the product form. Amounts are parsed from text, so that no float is involved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct ProductForm {
    /// As typed.
    pub name: String,
    /// As typed.
    pub description: String,
    /// Dollars.
    pub price: String,
    /// Units.
    pub stock: String,
    /// Pounds.
    pub weight_pounds: String,
    /// Whether the product is listed.
    pub active: bool,
    /// `stick`, `mini`, `duo` or `halo`; empty for the default.
    #[serde(default, deserialize_with = "null_as_default")]
    pub form: String,
    /// The name of a lamp color, like `amber`; empty for the default.
    #[serde(default, deserialize_with = "null_as_default")]
    pub lamp_color: String,
    /// `photo` or `drawing`; empty for the default.
    #[serde(default, deserialize_with = "null_as_default")]
    pub card_picture: String,
    /// Millimeters; empty if the dimensions are unknown.
    #[serde(default, deserialize_with = "null_as_default")]
    pub length_mm: String,
    /// Millimeters.
    #[serde(default, deserialize_with = "null_as_default")]
    pub width_mm: String,
    /// Millimeters.
    #[serde(default, deserialize_with = "null_as_default")]
    pub height_mm: String,
    /// `usb_a`, `usb_c` or empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub plug: String,
    /// Millimeters or empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub cable_length_mm: String,
    /// Milliwatts or empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub power_mw: String,
    /// Lumens or empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub brightness_lm: String,
    /// Days or empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub timekeeping_days: String,
    /// As typed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub led_color: String,
    /// One item per line.
    #[serde(default, deserialize_with = "null_as_default")]
    pub in_the_box: String,
    /// Months or empty.
    #[serde(default, deserialize_with = "null_as_default")]
    pub warranty_months: String,
    /// As typed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub sku: String,
    /// As typed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub gtin: String,
    /// As typed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub origin_country: String,
    /// As typed.
    #[serde(default, deserialize_with = "null_as_default")]
    pub hs_code: String,
}

impl ProductForm {
    /// The validated product.
    ///
    /// ```
    /// use wasm_core::catalog::ProductForm;
    ///
    /// let form = ProductForm {
    ///     name: "Nudgelight One".into(),
    ///     description: "A light that reminds.".into(),
    ///     price: "24.99".into(),
    ///     stock: "10".into(),
    ///     weight_pounds: "0,6".into(),
    ///     ..ProductForm::default()
    /// };
    /// let errors = form.validated().unwrap_err();
    /// let message = "Enter a weight in pounds with at most two decimals, like 0.6.";
    /// assert_eq!(errors.get("weight_pounds"), Some(message));
    /// ```
    ///
    /// # Errors
    /// A message for each invalid field.
    pub fn validated(self) -> Result<ProductInput, FieldErrors> {
        let mut errors = FieldErrors::default();
        let price = errors.check("price", Cents::parse_typed(&self.price).map_err(|error| error.to_string()));
        let stock = errors.check("stock", whole(&self.stock));
        let weight =
            errors.check("weight_pounds", Weight::parse(self.weight_pounds.trim()).map_err(|error| error.to_string()));
        let mut number = |field, typed: &str, example| errors.check(field, optional_whole(typed, example)).flatten();
        let dimensions = [
            number("dimensions.length_mm", &self.length_mm, "64"),
            number("dimensions.width_mm", &self.width_mm, "24"),
            number("dimensions.height_mm", &self.height_mm, "12"),
        ];
        let input = ProductInput {
            name: self.name,
            description: self.description,
            cable_length_mm: number("cable_length_mm", &self.cable_length_mm, "300"),
            power_mw: number("power_mw", &self.power_mw, "900"),
            brightness_lm: number("brightness_lm", &self.brightness_lm, "20"),
            timekeeping_days: number("timekeeping_days", &self.timekeeping_days, "14"),
            warranty_months: number("warranty_months", &self.warranty_months, "24"),
            price: price.unwrap_or_default(),
            stock: stock.unwrap_or_default(),
            weight_pounds: weight.unwrap_or_default(),
            active: self.active,
            form: DeviceForm::find(&self.form).unwrap_or_default(),
            lamp_color: LampColor::find(&self.lamp_color).unwrap_or_default(),
            card_picture: CardPicture::find(&self.card_picture).unwrap_or_default(),
            dimensions: dimensions_of(dimensions),
            plug: Plug::find(&self.plug),
            led_color: Some(self.led_color),
            in_the_box: self.in_the_box.lines().map(ToOwned::to_owned).collect(),
            sku: Some(self.sku),
            gtin: Some(self.gtin),
            origin_country: Some(self.origin_country),
            hs_code: Some(self.hs_code),
        };
        match input.validated() {
            Ok(input) => errors.into_result(input),
            Err(out_of_range) => Err(errors.merge(out_of_range)),
        }
    }
}

fn whole(typed: &str) -> Result<i64, String> {
    typed.trim().parse().map_err(|_| "Enter the stock as a whole number, like 10.".to_owned())
}

/// None if no field is filled in. An empty field beside others is 0, which the rule rejects.
fn dimensions_of(fields: [Option<i64>; 3]) -> Option<Dimensions> {
    let [length_mm, width_mm, height_mm] = fields.map(Option::unwrap_or_default);
    fields.iter().any(Option::is_some).then_some(Dimensions { length_mm, width_mm, height_mm })
}
