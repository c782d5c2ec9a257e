//! Warranties, in months, as displayed.
//!
//! ```
//! use wasm_core::catalog::{WarrantyRange, warranty_text};
//!
//! assert_eq!(warranty_text(24), "2 years");
//! assert_eq!(WarrantyRange { min: 12, max: 12 }.terms(), "Warranty: 1 year.");
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

use super::Product;

const MONTHS_PER_YEAR: i64 = 12;

/// `2 years`, or `18 months`
#[must_use]
pub fn warranty_text(months: i64) -> String {
    match (months / MONTHS_PER_YEAR, months % MONTHS_PER_YEAR) {
        (1, 0) => "1 year".to_owned(),
        (years, 0) => format!("{years} years"),
        (0, 1) => "1 month".to_owned(),
        _ => format!("{months} months"),
    }
}

/// The shortest and the longest warranty of a shop's products, in months.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(examples(json!({ "min": 24, "max": 24 }))))]
pub struct WarrantyRange {
    /// 0 if a product states none.
    pub min: i64,
    pub max: i64,
}

impl WarrantyRange {
    /// None if no product states a warranty.
    #[must_use]
    pub fn of(products: &[Product]) -> Option<Self> {
        let months = || products.iter().map(|product| product.warranty_months.unwrap_or(0));
        let range = Self { min: months().min()?, max: months().max()? };
        (range.max > 0).then_some(range)
    }

    /// Terms as customers read them: `Warranty: 1 year.`
    #[must_use]
    pub fn terms(self) -> String {
        let longest = warranty_text(self.max);
        if self.min == self.max {
            format!("Warranty: {longest}.")
        } else {
            format!("Warranty: up to {longest}, depending on the product.")
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn a_warranty_of_whole_years_is_in_years() {
        let texts: Vec<_> = [1, 6, 12, 18, 24, 120].into_iter().map(warranty_text).collect();
        assert_eq!(texts, ["1 month", "6 months", "1 year", "18 months", "2 years", "10 years"]);
    }

    #[test]
    fn a_product_without_a_warranty_counts_as_the_shortest() {
        let range = |warranties: &[Option<i64>]| {
            let product = |months: &Option<i64>| Product { warranty_months: *months, ..Product::default() };
            WarrantyRange::of(&warranties.iter().map(product).collect::<Vec<_>>())
        };
        assert_eq!(range(&[Some(24), None, Some(12)]), Some(WarrantyRange { min: 0, max: 24 }));
        assert_eq!(range(&[Some(24), Some(12)]), Some(WarrantyRange { min: 12, max: 24 }));
        assert_eq!((range(&[None, None]), range(&[])), (None, None));
    }

    #[test]
    fn a_shop_with_different_warranties_names_the_longest() {
        assert_eq!(WarrantyRange { min: 24, max: 24 }.terms(), "Warranty: 2 years.");
        let some = WarrantyRange { min: 0, max: 18 };
        assert_eq!(some.terms(), "Warranty: up to 18 months, depending on the product.");
    }
}
