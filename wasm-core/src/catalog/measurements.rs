//! A product's measurements as displayed: inches before millimeters, pounds before grams. Integer arithmetic, rounded
//! half up.
//!
//! ```
//! use wasm_core::catalog::{length_text, power_text};
//!
//! assert_eq!(length_text(600), "23.62 in (600 mm)");
//! assert_eq!(power_text(900), "0.9 W");
//! ```

use alloc::format;
use alloc::string::String;

use super::Dimensions;
use crate::decimal;
use crate::weight::Weight;

/// An inch is 25.4 mm, so a millimeter is 1000/254 hundredths of an inch.
const TENTHS_OF_A_MILLIMETER_PER_INCH: i64 = 254;
/// A pound is 453.59237 g.
const GRAMS_PER_100_000_POUNDS: i64 = 45_359_237;

/// Countries in which devices and their parts are commonly made.
const COUNTRIES: [(&str, &str); 24] = [
    ("AT", "Austria"),
    ("AU", "Australia"),
    ("CA", "Canada"),
    ("CH", "Switzerland"),
    ("CN", "China"),
    ("CZ", "Czechia"),
    ("DE", "Germany"),
    ("ES", "Spain"),
    ("FR", "France"),
    ("GB", "United Kingdom"),
    ("HK", "Hong Kong"),
    ("ID", "Indonesia"),
    ("IN", "India"),
    ("IT", "Italy"),
    ("JP", "Japan"),
    ("KR", "South Korea"),
    ("MX", "Mexico"),
    ("MY", "Malaysia"),
    ("NL", "Netherlands"),
    ("PL", "Poland"),
    ("TH", "Thailand"),
    ("TW", "Taiwan"),
    ("US", "United States"),
    ("VN", "Vietnam"),
];

/// Length, width and height: `2.52 × 0.94 × 0.55 in (64 × 24 × 14 mm)`.
#[must_use]
pub fn dimensions_text(dimensions: Dimensions) -> String {
    let Dimensions { length_mm, width_mm, height_mm } = dimensions;
    let [length, width, height] = [length_mm, width_mm, height_mm].map(inches);
    format!("{length} × {width} × {height} in ({length_mm} × {width_mm} × {height_mm} mm)")
}

/// `23.62 in (600 mm)`
#[must_use]
pub fn length_text(millimeters: i64) -> String {
    format!("{} in ({millimeters} mm)", inches(millimeters))
}

fn inches(millimeters: i64) -> String {
    decimal::text(rounded(millimeters.saturating_mul(1000), TENTHS_OF_A_MILLIMETER_PER_INCH))
}

/// Power in watts with one or two decimals, or in milliwatts below a hundredth of a watt: `0.9 W`.
#[must_use]
pub fn power_text(milliwatts: i64) -> String {
    if milliwatts < 10 {
        return format!("{milliwatts} mW");
    }
    let watts = decimal::text(rounded(milliwatts, 10));
    format!("{} W", watts.strip_suffix('0').unwrap_or(&watts))
}

/// `0.60 lb (272 g)`
#[must_use]
pub fn weight_text(weight: Weight) -> String {
    let grams = rounded(weight.hundredths().saturating_mul(GRAMS_PER_100_000_POUNDS), 10_000_000);
    format!("{weight} ({grams} g)")
}

/// The English name of a country, or its code if the name is not known.
#[must_use]
pub fn country_name(code: &str) -> &str {
    COUNTRIES.iter().find(|(known, _)| *known == code).map_or(code, |(_, name)| name)
}

const fn rounded(dividend: i64, divisor: i64) -> i64 {
    dividend.saturating_add(divisor / 2) / divisor
}

#[cfg(test)]
mod tests {
    use alloc::string::String;
    use alloc::vec::Vec;

    use super::*;

    fn shown<T: Copy, const N: usize>(text: fn(T) -> String, values: [T; N]) -> Vec<String> {
        values.into_iter().map(text).collect()
    }

    #[test]
    fn dimensions_are_in_inches_and_in_millimeters() {
        let stick = Dimensions { length_mm: 64, width_mm: 24, height_mm: 14 };
        assert_eq!(dimensions_text(stick), "2.52 × 0.94 × 0.55 in (64 × 24 × 14 mm)");
        let lengths = shown(length_text, [1, 25, 254, 2_000, 10_000]);
        assert_eq!(
            lengths,
            ["0.04 in (1 mm)", "0.98 in (25 mm)", "10.00 in (254 mm)", "78.74 in (2000 mm)", "393.70 in (10000 mm)"]
        );
    }

    #[test]
    fn watts_have_one_or_two_decimals() {
        let powers = shown(power_text, [1, 9, 10, 900, 1_250, 1_255, 2_000, 100_000]);
        assert_eq!(powers, ["1 mW", "9 mW", "0.01 W", "0.9 W", "1.25 W", "1.26 W", "2.0 W", "100.0 W"]);
    }

    #[test]
    fn a_weight_is_in_pounds_and_grams() {
        let weights = shown(weight_text, [1, 25, 60, 100, 15_000].map(Weight::from_hundredths));
        assert_eq!(
            weights,
            ["0.01 lb (5 g)", "0.25 lb (113 g)", "0.60 lb (272 g)", "1.00 lb (454 g)", "150.00 lb (68039 g)"]
        );
    }

    #[test]
    fn a_country_without_a_known_name_is_its_code() {
        assert_eq!(["CA", "US", "CN", "ZW"].map(country_name), ["Canada", "United States", "China", "ZW"]);
        assert!(COUNTRIES.is_sorted());
    }
}
