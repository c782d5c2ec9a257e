//! Product form.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};

use serde::{Deserialize, Serialize};

use super::ProductInput;
use crate::money::Cents;
use crate::validation::FieldErrors;
use crate::weight::Weight;

/// Texts of the product form. Amounts are parsed from text, so that no float is involved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
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
}

impl ProductForm {
    /// The validated product.
    ///
    /// ```
    /// use wasm_core::catalogue::ProductForm;
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
        let price = errors.check("price", Cents::parse(self.price.trim()).map_err(|error| error.to_string()));
        let stock = errors.check("stock", whole(&self.stock));
        let weight =
            errors.check("weight_pounds", Weight::parse(self.weight_pounds.trim()).map_err(|error| error.to_string()));
        let input = ProductInput {
            name: self.name,
            description: self.description,
            price: price.unwrap_or_default(),
            stock: stock.unwrap_or_default(),
            weight_pounds: weight.unwrap_or_default(),
            active: self.active,
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
