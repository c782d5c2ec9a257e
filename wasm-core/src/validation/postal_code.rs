//! ZIP codes and Canadian postal codes. Only the format is checked: the codes of a state change too often to reject an
//! address. [`super::region_of_postal_code`] suggests the state.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;

use super::{Country, Message};

/// Normalizes a postal code to its official format: `94103`, `94103-1234`, `M5V 2T6`.
pub(super) fn parse(country: Country, typed: &str) -> Result<String, Message> {
    let typed = typed.trim().to_ascii_uppercase();
    match country {
        Country::Us => zip(&typed),
        Country::Ca => canadian(&typed),
    }
}

fn zip(typed: &str) -> Result<String, Message> {
    if typed.is_empty() {
        return Err("Enter the ZIP code.".to_owned());
    }
    if canadian_form(typed).is_some() {
        return Err("This is a Canadian postal code; a US ZIP has 5 digits, like 94103.".to_owned());
    }
    if !typed.chars().all(|c| c.is_ascii_digit() || c == '-') {
        return Err("A US ZIP has only digits, like 94103 or 94103-1234.".to_owned());
    }
    match typed.split_once('-') {
        None if typed.len() == 5 => Ok(typed.to_owned()),
        None => Err(format!("A US ZIP has 5 digits; you typed {}.", typed.len())),
        Some((five, four)) if five.len() == 5 && four.len() == 4 && four.split_once('-').is_none() => {
            Ok(typed.to_owned())
        }
        Some(_) => Err("A long US ZIP has 5 digits, a hyphen and 4 digits, like 94103-1234.".to_owned()),
    }
}

fn canadian(typed: &str) -> Result<String, Message> {
    if typed.is_empty() {
        return Err("Enter the postal code.".to_owned());
    }
    if let Some(code) = canadian_form(typed) {
        return Ok(code);
    }
    if zip(typed).is_ok() {
        return Err("This is a US ZIP; a Canadian postal code looks like M5V 2T6.".to_owned());
    }
    let length = typed.chars().filter(|c| c.is_alphanumeric()).count();
    if length != 6 {
        return Err(format!("A Canadian postal code has 6 letters and digits, like M5V 2T6; you typed {length}."));
    }
    Err("A Canadian postal code takes letters and digits in turn, like M5V 2T6.".to_owned())
}

/// `A1A 1A1`, with or without the space. Canada Post uses no D, F, I, O, Q or U, and no W or Z as the first letter.
fn canadian_form(typed: &str) -> Option<String> {
    let compact = typed.replacen([' ', '-'], "", 1);
    let [a, b, c, d, e, f] = compact.as_bytes() else {
        return None;
    };
    let letters = [a, c, e].iter().all(|letter| b"ABCEGHJKLMNPRSTVWXYZ".contains(letter));
    let digits = [b, d, f].iter().all(|digit| digit.is_ascii_digit());
    if !letters || !digits || b"WZ".contains(a) {
        return None;
    }
    let (area, unit) = compact.split_at_checked(3)?;
    Some(format!("{area} {unit}"))
}
