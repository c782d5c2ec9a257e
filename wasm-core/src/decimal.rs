//! Fixed-point decimals: whole hundredths, parsed from and formatted as decimal text without floats.

use alloc::format;
use alloc::string::String;

/// Parses `24.99`, `-3`, `0.5` as hundredths. `None` for an exponent, a third decimal, a sign other than a leading
/// minus, spaces, a decimal point without digits, leading zeros, and overflow.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = match digits.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (digits, None),
    };
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let hundredths = match fraction.map(str::as_bytes) {
        None => 0,
        Some([tenths]) => digit(*tenths)?.checked_mul(10)?,
        Some([tenths, hundredths]) => digit(*tenths)?.checked_mul(10)?.checked_add(digit(*hundredths)?)?,
        Some(_) => return None,
    };
    let magnitude = unsigned(whole)?.checked_mul(100)?.checked_add(hundredths)?;
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// Formats hundredths with exactly two decimals: `-5` is `-0.05`.
pub(crate) fn text(hundredths: i64) -> String {
    let sign = if hundredths < 0 { "-" } else { "" };
    let magnitude = hundredths.unsigned_abs();
    format!("{sign}{}.{:02}", magnitude / 100, magnitude % 100)
}

fn unsigned(digits: &str) -> Option<i128> {
    if digits.is_empty() {
        return None;
    }
    digits.bytes().try_fold(0_i128, |value, byte| value.checked_mul(10)?.checked_add(digit(byte)?))
}

fn digit(byte: u8) -> Option<i128> {
    byte.is_ascii_digit().then(|| i128::from(byte - b'0'))
}
