//! Password policy: a minimum length, and no common password.

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

/// Type of account, which decides the minimum length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "js-types", derive(tsify::Tsify))]
pub enum AdminRule {
    /// A customer, or any account in demo mode: at least 10 characters.
    Customer,
    /// An administrator outside demo mode: at least 15 characters.
    Administrator,
}

/// Context of a new password.
#[derive(Clone, Copy, Debug)]
pub struct PasswordRules<'a> {
    /// The account's email address.
    pub email: &'a str,
    /// The shop's name.
    pub shop_name: &'a str,
    /// Type of the account.
    pub admin: AdminRule,
    /// Common passwords, one a line: [`COMMON_PASSWORDS`](super::COMMON_PASSWORDS), which a browser loads as an asset.
    pub common_passwords: &'a str,
}

/// Valid new password. Every character counts, including spaces and emoji. No classes of characters are required, as
/// NIST SP 800-63B recommends.
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
    /// Validates a new password: 10–256 characters (15–256 for administrators), and, ignoring case, not one of the
    /// 10,000 most common ones, not the account's email address or its part before the `@`, and not the shop's name.
    ///
    /// # Errors
    /// The message to show beside the field.
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
            return Err("Your password must not be your email address.".to_owned());
        }
        if folded == codec::lowercase(rules.shop_name) {
            return Err("Your password must not be the shop’s name.".to_owned());
        }
        if is_listed(&folded, rules.common_passwords) {
            return Err("This password is one of the most common ones. Choose another.".to_owned());
        }
        Ok(Self(typed.to_owned()))
    }

    /// The password as typed.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Redacted, because debug output ends up in logs.
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
