//! The rate limits.

use crate::infra::clock::{DAY, HOUR, MINUTE, SECOND};

/// A rate limit: `allowed` usages in a window of `window_ms`, then the penalty.
///
/// The name is part of the stored buckets.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub(super) name: &'static str,
    pub(super) allowed: i64,
    pub(super) window_ms: i64,
    pub(super) penalty: Penalty,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Penalty {
    /// Rejects until the window ends.
    FixedWindow,
    /// From the last allowed usage on, each usage locks for twice as long as the one before. Every lock ends: a stranger
    /// must not be able to lock the owner out permanently.
    ExponentialLockout { first_ms: i64, longest_ms: i64 },
}

/// Logins of one client, or of one known device, to one account: at most 156 a day. Cleared by a successful login.
pub const LOGIN_PER_CLIENT: Rule = Rule {
    name: "login-client",
    allowed: 10,
    window_ms: 2 * HOUR,
    penalty: Penalty::ExponentialLockout { first_ms: 30 * SECOND, longest_ms: HOUR },
};
/// Logins of all clients to one account, without known devices. It is so far above the limit of one client that a few
/// clients cannot lock the account.
pub const LOGIN_PER_ACCOUNT: Rule = Rule { name: "login-account", allowed: 900, window_ms: DAY, ..LOGIN_PER_CLIENT };
/// Wrong current passwords of one account. Cleared by a successful change.
pub const PASSWORD_CHANGE_PER_ACCOUNT: Rule =
    Rule { name: "password-change", window_ms: 15 * MINUTE, ..LOGIN_PER_CLIENT };
pub const LOGIN_PER_ADDRESS: Rule = per_window("login-address", 30, MINUTE);
/// Logins without a bot check, while the CAPTCHA service is down.
pub const UNCHECKED_LOGIN: Rule = per_window("login-unchecked", 3, 15 * MINUTE);
pub const UNCHECKED_LOGIN_PER_ACCOUNT: Rule = per_window("login-unchecked-account", 30, 15 * MINUTE);
pub const SIGN_UP_PER_ADDRESS: Rule = per_window("signup-address", 20, HOUR);
/// Requests for a login code by one client, for all addresses: each may email somebody who has no account.
pub const LOGIN_CODE_PER_ADDRESS: Rule = per_window("login-code-address", 20, HOUR);
/// Requests for a code, and entered codes.
pub const CODE_PER_ADDRESS: Rule = per_window("code-address", 30, MINUTE);
/// Codes emailed to one address, by one client.
pub const CODES_PER_HOUR: Rule = per_window("codes-hour", 3, HOUR);
pub const CODES_PER_DAY: Rule = per_window("codes-day", 6, DAY);
/// Codes emailed to one address, by all clients.
pub const CODES_PER_ACCOUNT: Rule = per_window("codes-account", 20, DAY);
/// Codes entered for one address: by one client for one code, by one client, and by all clients.
pub const ATTEMPTS_PER_CODE: Rule = per_window("tries-code", 5, HOUR);
pub const ATTEMPTS_PER_CLIENT: Rule = per_window("tries-client", 15, DAY);
pub const ATTEMPTS_PER_ACCOUNT: Rule = per_window("tries-account", 50, DAY);
/// Requests of all known devices of one account. Each hashes a password, and the client limits do not apply to them.
pub const KNOWN_DEVICES: Rule = per_window("known-browsers", 30, MINUTE);
/// Password changes, successful ones too: each hashes two passwords and sends an email.
pub const PASSWORD_CHANGES: Rule = per_window("password-changes", 10, 15 * MINUTE);
/// Logins with a passkey that one client starts: the login page starts one when it opens.
pub const PASSKEY_LOGINS_STARTED: Rule = per_window("passkey-start", 60, MINUTE);
/// Logins with a passkey by one client.
pub const PASSKEY_LOGINS: Rule = per_window("passkey-login", 30, MINUTE);
/// Passkeys that one account starts to add. Each that is added sends an email.
pub const PASSKEY_CHANGES: Rule = per_window("passkey-changes", 20, HOUR);
/// Changes of the email address that one account requests. Each sends two emails.
pub const EMAIL_CHANGES: Rule = per_window("email-changes", 5, HOUR);
pub const EMAIL_CHANGES_PER_DAY: Rule = per_window("email-changes-day", 10, DAY);
/// Codes of the second factor of a logged-in administrator. Cleared by a valid one.
pub const SECOND_FACTOR_PER_ACCOUNT: Rule = Rule { name: "second-factor", ..LOGIN_PER_CLIENT };
pub const REFRESH_PER_SESSION: Rule = per_window("refresh-session", 30, MINUTE);
/// Quotes. Each reserves items and sends three requests to the payment provider.
pub const QUOTES_PER_ADDRESS: Rule = per_window("quotes-address", 60, MINUTE);
pub const QUOTES_PER_MINUTE: Rule = per_window("quotes-minute", 30, MINUTE);
pub const QUOTES_PER_DAY: Rule = per_window("quotes-day", 300, DAY);
/// Requests for a back-in-stock email.
pub const BACK_IN_STOCK_PER_ADDRESS: Rule = per_window("back-in-stock-address", 10, HOUR);
/// Confirmation links for back-in-stock emails to one email address, by all clients.
pub const BACK_IN_STOCK_PER_EMAIL: Rule = per_window("back-in-stock-email", 5, DAY);
/// Requests for a back-in-stock email, by all clients.
pub const BACK_IN_STOCK_REQUESTS: Rule = per_window("back-in-stock-all", 200, HOUR);
/// Emails about one order that an administrator sends again.
pub const RESENT_EMAILS_PER_ORDER: Rule = per_window("resent-emails", 5, HOUR);

/// Wrong codes of one client, for any accounts. Valid codes are uncounted.
pub const WRONG_CODES_PER_CLIENT: Rule = per_window("wrong-client", 10, 10 * MINUTE);
/// Wrong codes across all accounts. Above it `accounts::brute_force` applies the two attack limits.
pub const WRONG_CODES: Rule = per_window("wrong-codes", 200, 10 * MINUTE);
/// Codes entered during a brute-force attack: by one client, and by all.
pub const ATTACK_PER_CLIENT: Rule = per_window("wary-address", 3, 10 * MINUTE);
pub const ATTACK_GLOBAL: Rule = per_window("wary-all", 20, MINUTE);

const fn per_window(name: &'static str, allowed: i64, window_ms: i64) -> Rule {
    Rule { name, allowed, window_ms, penalty: Penalty::FixedWindow }
}

impl Rule {
    /// The same rule with a multiple of the allowed usages.
    #[must_use]
    pub fn times(self, factor: i64) -> Self {
        Self { allowed: self.allowed * factor, ..self }
    }
}
