//! Passwords: long, and not one of those that are tried first.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::Deserialize;

use super::Message;
use super::common_passwords::is_listed;
use crate::codec;

pub(super) const MIN_CUSTOMER: usize = 10;
pub(super) const MIN_ADMINISTRATOR: usize = 15;
pub(super) const MAX: usize = 256;

/// Whose password it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js", derive(tsify::Tsify))]
pub enum AdminRule {
    /// A customer's, or anybody's in demo mode: from 10 characters.
    Customer,
    /// An administrator's outside demo mode: from 15 characters.
    Administrator,
}

/// What a new password is measured by, besides its length.
#[derive(Clone, Copy, Debug)]
pub struct PasswordRules<'a> {
    /// The account's e-mail address.
    pub email: &'a str,
    /// The shop's name.
    pub shop_name: &'a str,
    /// Whose password it is.
    pub admin: AdminRule,
    /// The commonest passwords, one a line: [`COMMON_PASSWORDS`](super::COMMON_PASSWORDS), unless that has to be
    /// loaded first.
    pub common_passwords: &'a str,
}

/// A new password that keeps the rules. Every character counts as typed, spaces and emoji included; no kinds of
/// characters are asked for, because length is what helps (NIST SP 800-63B).
///
/// ```
/// use wasm_core::validation::{AdminRule, COMMON_PASSWORDS, Password, PasswordRules};
///
/// let rules = PasswordRules {
///     email: "ada@example.com",
///     shop_name: "Nudgelight",
///     admin: AdminRule::Customer,
///     common_passwords: COMMON_PASSWORDS,
/// };
/// assert!(Password::parse("four small lamps", &rules).is_ok());
/// assert!(Password::parse("nudgelight", &rules).is_err());
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl Password {
    /// Checks a new password: 10–256 characters (15 for administrators), not one of the 10,000 commonest, not one's
    /// own e-mail address or the part before its `@`, not the shop's name; none of that by case.
    ///
    /// # Errors
    /// The sentence to show beside the field.
    pub fn parse(typed: &str, rules: &PasswordRules<'_>) -> Result<Self, Message> {
        if typed.is_empty() {
            return Err("Password is required.".to_owned());
        }
        let length = typed.chars().count();
        let min = rules.min_length();
        if length < min {
            return Err(format!("Use at least {min} characters; you typed {length}."));
        }
        if length > MAX {
            return Err(format!("Use at most {MAX} characters; you typed {length}."));
        }
        let folded = codec::lowercase(typed);
        if is_own_address(&folded, rules.email) {
            return Err("Your password must not be your e-mail address.".to_owned());
        }
        if folded == codec::lowercase(rules.shop_name) {
            return Err("Your password must not be the shop's name.".to_owned());
        }
        if is_listed(&folded, rules.common_passwords) {
            return Err("This password is one of the most common ones. Choose another.".to_owned());
        }
        Ok(Self(typed.to_owned()))
    }

    /// The password, to be hashed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Never shows the password: debug output ends up in logs.
impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

impl PasswordRules<'_> {
    fn min_length(&self) -> usize {
        match self.admin {
            AdminRule::Customer => MIN_CUSTOMER,
            AdminRule::Administrator => MIN_ADMINISTRATOR,
        }
    }
}

fn is_own_address(folded: &str, email: &str) -> bool {
    let email = codec::lowercase(email.trim());
    let local = email.split_once('@').map(|(local, _)| local);
    folded == email || Some(folded) == local
}
