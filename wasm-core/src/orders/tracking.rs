//! Tracking links of carriers.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use serde::{Deserialize, Serialize};

/// Tracking page of a carrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub struct TrackingLink {
    /// The carrier's name.
    pub carrier: String,
    /// `https` URL.
    pub url: String,
}

/// Tracking page for a number, if its format identifies the carrier. Spaces, hyphens and case do not matter.
///
/// | carrier | format |
/// |---|---|
/// | UPS | `1Z` and 16 letters or digits |
/// | FedEx | 12 digits with FedEx's check digit; 15 digits; 22 digits from 96 |
/// | USPS | 20 to 22 digits from 9, but not 22 from 96; two letters, 9 digits, `US` |
/// | Canada Post | 16 digits; two letters, 9 digits, `CA` |
///
/// ```
/// use wasm_core::orders::tracking_link;
///
/// assert_eq!(tracking_link("1Z 999 AA1 01 2345 6784").unwrap().carrier, "UPS");
/// assert_eq!(tracking_link("by pigeon"), None);
/// ```
#[must_use]
pub fn tracking_link(tracking_number: &str) -> Option<TrackingLink> {
    let number = compact_tracking_number(tracking_number);
    let (carrier, page) = carrier(&number)?;
    Some(TrackingLink { carrier: carrier.to_owned(), url: format!("{page}{number}") })
}

/// A tracking number without its spaces and hyphens and in upper case, which carriers ignore: for comparisons.
#[must_use]
pub fn compact_tracking_number(tracking_number: &str) -> String {
    tracking_number.chars().filter(|c| !matches!(c, ' ' | '-')).map(|c| c.to_ascii_uppercase()).collect()
}

type Carrier = (&'static str, &'static str);

const UPS: Carrier = ("UPS", "https://www.ups.com/track?tracknum=");
const USPS: Carrier = ("USPS", "https://tools.usps.com/go/TrackConfirmAction?tLabels=");
const FEDEX: Carrier = ("FedEx", "https://www.fedex.com/fedextrack/?trknbr=");
const CANADA_POST: Carrier = ("Canada Post", "https://www.canadapost-postescanada.ca/track-reperage/en#/details/");

fn carrier(number: &str) -> Option<Carrier> {
    if !number.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return parse_alphanumeric(number);
    }
    match number.len() {
        // Purolator's numbers have 12 digits, too.
        12 if has_fedex_express_check_digit(number) => Some(FEDEX),
        15 => Some(FEDEX),
        16 => Some(CANADA_POST),
        22 if number.starts_with("96") => Some(FEDEX),
        20..=22 if number.starts_with('9') => Some(USPS),
        _ => None,
    }
}

fn parse_alphanumeric(number: &str) -> Option<Carrier> {
    if number.len() == 18 && number.starts_with("1Z") {
        return Some(UPS);
    }
    // Format S10 of the Universal Postal Union: the last two letters are the country of origin.
    match number.as_bytes() {
        [a, b, digits @ .., c, d] if digits.len() == 9 && digits.iter().all(u8::is_ascii_digit) => {
            let service = a.is_ascii_uppercase() && b.is_ascii_uppercase();
            match (service, [*c, *d]) {
                (true, [b'U', b'S']) => Some(USPS),
                (true, [b'C', b'A']) => Some(CANADA_POST),
                _ => None,
            }
        }
        _ => None,
    }
}

/// FedEx Express, 12 digits: weights 3, 1 and 7; the remainder by 11, of which 10 becomes 0.
pub(super) fn has_fedex_express_check_digit(number: &str) -> bool {
    let digit = |byte: u8| u32::from(byte.wrapping_sub(b'0'));
    let Some((last, rest)) = number.as_bytes().split_last() else { return false };
    let sum: u32 = rest.iter().zip([3, 1, 7].into_iter().cycle()).map(|(byte, weight)| digit(*byte) * weight).sum();
    digit(*last) == sum % 11 % 10
}
