//! Check digits of tracking numbers.
//!
//! Carriers publish little about them. The rules and most of the test numbers are those of `jkeen/tracking_number_data` on
//! GitHub. The rule of international mail is that of the UPU's standard S10.

use alloc::format;

use super::tracking::{compact_tracking_number, has_fedex_express_check_digit};

/// Significant digits of a number in a spreadsheet.
const SPREADSHEET_DIGITS: usize = 15;

/// What a tracking number's characters say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackingCheck {
    /// The check digit is right.
    Valid,
    /// No carrier is known for the format.
    UnknownFormat,
    /// A character was mistyped or is missing.
    WrongCheckDigit,
    /// A spreadsheet has rounded the number: `9.40011E+21`, or zeros after the 15th digit.
    Rounded,
}

/// Checks the check digit of a tracking number whose format is known. Spaces, hyphens and case do not matter.
///
/// | carrier | format |
/// |---|---|
/// | UPS | `1Z` and 16 letters or digits |
/// | FedEx | 12, 15 or 20 digits; 22 digits from 96 |
/// | Purolator | 12 digits |
/// | USPS | 20 digits; 21 or 22 digits from 9 |
/// | Canada Post | 16 digits |
/// | international mail (S10) | two letters, 9 digits, two letters |
///
/// ```
/// use wasm_core::orders::{TrackingCheck, check_tracking_number};
///
/// assert_eq!(check_tracking_number("9405 8036 9930 0124 2878 99"), TrackingCheck::Valid);
/// assert_eq!(check_tracking_number("1Z999AA10123456785"), TrackingCheck::WrongCheckDigit);
/// assert_eq!(check_tracking_number("9.40011E+21"), TrackingCheck::Rounded);
/// assert_eq!(check_tracking_number("by pigeon"), TrackingCheck::UnknownFormat);
/// ```
#[must_use]
pub fn check_tracking_number(tracking_number: &str) -> TrackingCheck {
    let number = compact_tracking_number(tracking_number);
    let is_valid = has_valid_check_digit(&number);
    if is_scientific(tracking_number.trim()) || is_cut(&number, is_valid) {
        return TrackingCheck::Rounded;
    }
    match is_valid {
        Some(true) => TrackingCheck::Valid,
        Some(false) => TrackingCheck::WrongCheckDigit,
        None => TrackingCheck::UnknownFormat,
    }
}

/// `9E21`, `9.40011E+21` or, with a decimal comma, `9,40011E+21`.
fn is_scientific(text: &str) -> bool {
    let Some((mantissa, exponent)) = text.split_once(['e', 'E']) else { return false };
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, "0"));
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    exponent.len() <= 2 && [whole, fraction, exponent].into_iter().all(are_digits)
}

/// Zeros after the 15th digit. One zero may be the right check digit of 16 digits.
fn is_cut(number: &str, is_valid: Option<bool>) -> bool {
    let rest = number.get(SPREADSHEET_DIGITS..).unwrap_or_default();
    let may_end_so = rest.len() == 1 && is_valid == Some(true);
    are_digits(number) && !rest.is_empty() && rest.bytes().all(|digit| digit == b'0') && !may_end_so
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `None` if the format is unknown.
fn has_valid_check_digit(number: &str) -> Option<bool> {
    if !are_digits(number) {
        return alphanumeric(number);
    }
    match number.len() {
        12 => Some(has_fedex_express_check_digit(number) || luhn(number)),
        15 | 16 => Some(modulo_10(number)),
        // The prefix counts even if it isn't printed.
        20 => Some(["", "91", "92"].iter().any(|prefix| modulo_10(&format!("{prefix}{number}")))),
        // FedEx Ground: the last 15 digits are a number of their own.
        22 if number.starts_with("96") => number.get(7..).map(modulo_10),
        21 | 22 if number.starts_with('9') => Some(modulo_10(number)),
        _ => None,
    }
}

fn alphanumeric(number: &str) -> Option<bool> {
    if let Some(rest) = number.strip_prefix("1Z").filter(|rest| rest.len() == 16 && rest.is_ascii()) {
        return Some(ups(rest));
    }
    let is_s10 = number.len() == 13
        && number.bytes().enumerate().all(|(index, byte)| match index {
            2..=10 => byte.is_ascii_digit(),
            _ => byte.is_ascii_uppercase(),
        });
    if is_s10 { number.get(2..11).map(s10) } else { None }
}

fn digits(number: &str) -> impl DoubleEndedIterator<Item = u32> {
    number.chars().filter_map(|digit| digit.to_digit(10))
}

/// Weights 1 and 3 from the right, with the check digit, make a multiple of 10.
fn modulo_10(number: &str) -> bool {
    let sum: u32 = digits(number).rev().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| digit * weight).sum();
    sum.is_multiple_of(10)
}

/// Letters count as 2 for `A`, 3 for `B`, and on modulo 10. Every other character before the last counts twice.
fn ups(rest: &str) -> bool {
    let values = rest.bytes().map(|byte| match byte {
        b'0'..=b'9' => u32::from(byte - b'0'),
        letter => u32::from(letter).saturating_sub(3) % 10,
    });
    let weights = [1].into_iter().chain([1, 2].into_iter().cycle());
    let sum: u32 = values.rev().zip(weights).map(|(value, weight)| value * weight).sum();
    sum.is_multiple_of(10)
}

/// Purolator. From the right, every second digit counts twice, less 9 if that has two digits.
fn luhn(number: &str) -> bool {
    let twice = |digit: u32| if digit > 4 { 2 * digit - 9 } else { 2 * digit };
    let sum: u32 =
        digits(number).rev().enumerate().map(|(index, digit)| if index % 2 == 1 { twice(digit) } else { digit }).sum();
    sum.is_multiple_of(10)
}

/// Weights 8, 6, 4, 2, 3, 5, 9 and 7; 11 less the remainder by 11, of which 10 becomes 0 and 11 becomes 5.
fn s10(number: &str) -> bool {
    let sum: u32 = digits(number).zip([8, 6, 4, 2, 3, 5, 9, 7]).map(|(digit, weight)| digit * weight).sum();
    let check = match 11 - sum % 11 {
        10 => 0,
        11 => 5,
        check => check,
    };
    digits(number).last() == Some(check)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the numbers' last digits wrong, too.
    #[test]
    fn the_numbers_of_each_carrier_have_check_digits() {
        for number in [
            "1Z5R89390357567127",
            "1Z879E930346834440",
            "986578788855",
            "477179081230",
            "041441760228964",
            "568283610012734",
            "9611020987654312345672",
            "61299998820821171811",
            "74899998820821171817",
            "320595463938",
            "287809468872",
            "03071790000523483741",
            "71969010756003077385",
            "9505511069605048600624",
            "0073938000549297",
            "RB123456785GB",
            "CE123456785CA",
        ] {
            assert_eq!(check_tracking_number(number), TrackingCheck::Valid, "{number}");
        }
        for number in [
            "1Z5R89390357567128",
            "986578788856",
            "0073938000549298",
            "RB123456784GB",
            "041441760228965",
            "320595463939",
        ] {
            assert_eq!(check_tracking_number(number), TrackingCheck::WrongCheckDigit, "{number}");
        }
        for number in ["", "T1", "1Z1", "94001", "JD014600006281230704", "1Zéééééééé"] {
            assert_eq!(check_tracking_number(number), TrackingCheck::UnknownFormat, "{number}");
        }
    }

    #[test]
    fn a_spreadsheet_keeps_fifteen_digits() {
        for number in ["9E21", "9.40011E+21", "9,4e21", "9400111899223810000000", "7939380005492970"] {
            assert_eq!(check_tracking_number(number), TrackingCheck::Rounded, "{number}");
        }
        for number in ["568283610012000", "1E2X", "E21", "12E345"] {
            assert_ne!(check_tracking_number(number), TrackingCheck::Rounded, "{number}");
        }
    }
}
