//! Validates card data with Stripe's error codes and messages.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::json;

use crate::api_error::ApiError;
use crate::cards::{self, TestCard};

/// Maximum validity in years.
const FURTHEST_YEAR: i64 = 50;

/// Validates the number of a test card; digit groups are allowed. A real card number is rejected and never stored.
pub fn checked_number(typed: &str) -> Result<&'static TestCard, ApiError> {
    let digits: String = typed.chars().filter(|letter| !matches!(letter, ' ' | '-')).collect();
    let is_number = (12..=19).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number {
        let error = ApiError::card("The card number is not a valid credit card number.");
        return Err(error.code("invalid_number").param("number"));
    }
    if !cards::has_valid_check_digit(&digits) {
        return Err(ApiError::card("Your card number is incorrect.").code("incorrect_number").param("number"));
    }
    cards::by_number(&digits).ok_or_else(|| {
        ApiError::card(
            "Your card was declined. Your request was in test mode, but used a non test card. For a list of \
             valid test cards, visit: https://stripe.com/docs/testing.",
        )
        .code("card_declined")
        .with("decline_code", json!("test_mode_live_card"))
        .param("number")
    })
}

/// The year with four digits.
pub fn checked_expiry(month: i64, year: i64, now_ms: i64) -> Result<i64, ApiError> {
    if !(1..=12).contains(&month) {
        let error = ApiError::card("Your card's expiration month is invalid.");
        return Err(error.code("invalid_expiry_month").param("exp_month"));
    }
    let year = if (0..100).contains(&year) { year + 2000 } else { year };
    let this_year = year_of(now_ms);
    if year < this_year || year > this_year + FURTHEST_YEAR {
        let error = ApiError::card("Your card's expiration year is invalid.");
        return Err(error.code("invalid_expiry_year").param("exp_year"));
    }
    if year == this_year && month < month_of(now_ms) {
        let error = ApiError::card("Your card's expiration month is invalid.");
        return Err(error.code("invalid_expiry_month").param("exp_month"));
    }
    Ok(year)
}

/// Three digits; four for American Express.
pub fn checked_cvc(cvc: Option<&str>, card: &TestCard) -> Result<(), ApiError> {
    let Some(cvc) = cvc else {
        return Ok(());
    };
    let longest = if card.brand == "amex" { 4 } else { 3 };
    let sound = (3..=longest).contains(&cvc.len()) && cvc.bytes().all(|byte| byte.is_ascii_digit());
    if sound {
        return Ok(());
    }
    Err(ApiError::card("Your card's security code is invalid.").code("invalid_cvc").param("cvc"))
}

pub fn year_of(now_ms: i64) -> i64 {
    date_of(now_ms).year().into()
}

fn month_of(now_ms: i64) -> i64 {
    date_of(now_ms).month().into()
}

fn date_of(now_ms: i64) -> Date {
    Timestamp::from_millisecond(now_ms).unwrap_or_default().to_zoned_datetime(TimeZone::UTC).date()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-21.
    const NOW: i64 = 1_795_219_200_000;

    fn code<T: std::fmt::Debug>(result: Result<T, ApiError>) -> String {
        let members = result.unwrap_err().members();
        assert_eq!(members["type"], "card_error");
        members["code"].as_str().unwrap().to_owned()
    }

    #[test]
    fn a_number_may_be_typed_in_groups_and_must_be_a_test_card() {
        assert_eq!(checked_number("4242 4242-4242 4242").unwrap().name, "visa");
        assert_eq!(code(checked_number("4242424242424241")), "incorrect_number");
        assert_eq!(code(checked_number("4242")), "invalid_number");
        assert_eq!(code(checked_number("4242x24242424242")), "invalid_number");
        let real = checked_number("4111111111111111").unwrap_err().members();
        assert_eq!(real["decline_code"], "test_mode_live_card");
    }

    #[test]
    fn a_card_is_good_to_the_end_of_its_month() {
        assert_eq!(year_of(NOW), 2026);
        assert_eq!(checked_expiry(11, 2026, NOW), Ok(2026));
        assert_eq!(checked_expiry(1, 30, NOW), Ok(2030));
        assert_eq!(code(checked_expiry(10, 2026, NOW)), "invalid_expiry_month");
        assert_eq!(code(checked_expiry(13, 2030, NOW)), "invalid_expiry_month");
        assert_eq!(code(checked_expiry(0, 2030, NOW)), "invalid_expiry_month");
        assert_eq!(code(checked_expiry(12, 2025, NOW)), "invalid_expiry_year");
        assert_eq!(code(checked_expiry(12, 2077, NOW)), "invalid_expiry_year");
        assert_eq!(code(checked_expiry(12, i64::MAX, NOW)), "invalid_expiry_year");
    }

    #[test]
    fn a_security_code_has_three_digits_or_four_on_american_express() {
        let visa = cards::by_number("4242424242424242").unwrap();
        let amex = cards::by_number("378282246310005").unwrap();
        assert_eq!(checked_cvc(Some("123"), visa), Ok(()));
        assert_eq!(checked_cvc(None, visa), Ok(()));
        assert_eq!(checked_cvc(Some("1234"), amex), Ok(()));
        for wrong in ["12", "1234", "12a", ""] {
            assert_eq!(code(checked_cvc(Some(wrong), visa)), "invalid_cvc", "{wrong:?}");
        }
    }
}
