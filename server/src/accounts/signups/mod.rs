//! Pending sign-ups: sign-ups that wait for their confirmation code.
//!
//! Each has its own password and code, and the code decides which password the account gets. So an attacker who signs
//! up with a victim's address does not affect the victim's sign-up. A client that has signed up can confirm only its own
//! sign-ups, so that a victim does not confirm an attacker's password with the wrong email.
//!
//! The browser that signed up has a login token. With it the code also begins a session; without it, it only confirms.

pub mod store;

use sqlx::AnyConnection;

use self::store::SignUp;
use super::brute_force;
use super::codes::{self, CodeKeys, Purpose, Verification};
use super::devices::Requester;
use super::keys::{Keys, keyed_hash};
use super::login_token::LoginToken;
use super::sessions::store::LiveSession;
use super::sessions::{self, NewSession};
use super::store::{self as users, NewUser, User};
use crate::accounts::Accounts;
use crate::config::RateLimits;
use crate::error::Error;
use crate::http::client_address::ClientAddress;
use crate::infra::encoding::base64url;
use crate::infra::random;
use crate::limits::{self, Rule};

/// The maximum number of pending sign-ups per address.
const SLOTS: i64 = 3;

/// A keyed hash of the client's address: it recognizes the client and does not reveal the address.
pub fn client_fingerprint(keys: &Keys, client: &ClientAddress) -> String {
    base64url(keyed_hash(&keys.derive("signup-client"), &[&client.site()]))
}

/// Inserts the sign-up into a free slot, ignoring its own `slot`. Returns false when there is none.
pub async fn add(tx: &mut AnyConnection, signup: &SignUp, email_key: &str) -> Result<bool, sqlx::Error> {
    // Another process may take the slot first, at most once per slot.
    for _ in 0..SLOTS {
        let pending = store::list(&mut *tx, email_key).await?;
        let Some(slot) = choose_slot(&pending, &signup.client, signup.created_at) else {
            return Ok(false);
        };
        if let Some(replaced) = pending.iter().find(|one| one.slot == slot) {
            store::delete(tx, &replaced.id).await?;
        }
        if store::insert(tx, signup, slot, email_key, codes::MAX_ATTEMPTS).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The slot for a client's next sign-up. A client cannot replace the last valid sign-up of another client, and a client
/// that fills all slots does not lock the others out.
fn choose_slot(pending: &[SignUp], client: &str, now_ms: i64) -> Option<i64> {
    if let Some(free) = (0..SLOTS).find(|slot| pending.iter().all(|one| one.slot != *slot)) {
        return Some(free);
    }
    let count_of = |client: &str| pending.iter().filter(|one| one.client == client).count();
    let is_expired = |one: &&SignUp| one.expires_at <= now_ms;
    let age = |one: &&SignUp| one.created_at;
    let replaced = if count_of(client) > 0 {
        pending.iter().filter(|one| one.client == client).filter(is_expired).min_by_key(age)
    } else {
        let of_repeated_client = pending.iter().filter(|one| count_of(&one.client) > 1).min_by_key(age);
        of_repeated_client.or_else(|| pending.iter().filter(is_expired).min_by_key(age))
    };
    replaced.map(|one| one.slot)
}

/// The newest sign-up that this client can confirm.
pub fn find_renewable<'a>(pending: &'a [SignUp], client: &str) -> Option<&'a SignUp> {
    confirmable(pending, client).next()
}

/// The sign-ups that this client can confirm: its own. A client without any can confirm those of one other client. With
/// several other clients it can confirm none, because the newest email may contain an attacker's code.
fn confirmable<'a>(pending: &'a [SignUp], client: &str) -> impl Iterator<Item = &'a SignUp> {
    let has_own = pending.iter().any(|one| one.client == client);
    let are_of_one_client = pending.windows(2).all(|two| two[0].client == two[1].client);
    pending.iter().filter(move |one| if has_own { one.client == client } else { are_of_one_client })
}

/// The browser that enters a code: its token, if it has one, and its `User-Agent`.
pub struct Browser {
    pub token: Option<LoginToken>,
    pub device: String,
}

/// The result of entering a code, and the session that it began.
pub type Confirmed = (Verification, Option<(User, LiveSession)>);

/// Compares a code with those of the sign-ups that this client can confirm, and creates the account on a match. In the
/// browser that signed up it also begins `session`.
///
/// Account enumeration: there is one transaction, whatever the number of sign-ups, so the response time reveals nothing.
pub async fn confirm(
    state: &Accounts,
    client: &ClientAddress,
    email_key: &str,
    code: &str,
    browser: Browser,
    session: NewSession,
) -> Result<Confirmed, Error> {
    let pending = store::list(state.db.read(), email_key).await?;
    let confirmation = Confirmation {
        attempts: attempts(&pending, client, &client_fingerprint(&state.keys, client), email_key),
        email_key: email_key.to_owned(),
        code: code.to_owned(),
        rate_limits: state.config.rate_limits,
        code_keys: CodeKeys::of(&state.keys),
        user_id: random::new_id(),
        token_hash: browser.token.map(|token| token.hash()),
        device: browser.device,
        session,
        now_ms: state.clock.now_ms(),
    };
    state.db.write(confirmation, |tx, confirmation| Box::pin(confirmation.apply(tx))).await
}

/// One attempt per confirmable sign-up. Without any there is one attempt that cannot match, for the same statements.
fn attempts(pending: &[SignUp], client: &ClientAddress, fingerprint: &str, email_key: &str) -> Vec<Attempt> {
    let mut compared: Vec<(&str, &str)> =
        confirmable(pending, fingerprint).map(|one| (one.id.as_str(), one.code_hash.as_str())).collect();
    if compared.is_empty() {
        compared.push(("", ""));
    }
    let attempt = |(id, code_hash): (&str, &str)| Attempt {
        signup_id: id.to_owned(),
        code_hash: code_hash.to_owned(),
        usages: brute_force::attempt_usages(&Requester::Client(client), email_key, code_hash),
    };
    compared.into_iter().map(attempt).collect()
}

/// A code that a client entered for an address.
struct Confirmation {
    email_key: String,
    code: String,
    attempts: Vec<Attempt>,
    rate_limits: RateLimits,
    code_keys: CodeKeys,
    user_id: String,
    /// Of the browser's token.
    token_hash: Option<String>,
    device: String,
    session: NewSession,
    now_ms: i64,
}

/// A comparison of the code with one sign-up.
struct Attempt {
    signup_id: String,
    code_hash: String,
    usages: Vec<(Rule, String)>,
}

impl Confirmation {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<Confirmed, Error> {
        let mut result = Verification::Invalid;
        for attempt in &self.attempts {
            if !limits::check_within(tx, self.rate_limits, &attempt.usages, self.now_ms).await? {
                continue;
            }
            match self.verify(tx, attempt).await? {
                (Verification::Valid, session) => return Ok((Verification::Valid, session)),
                (Verification::Expired, _) => result = Verification::Expired,
                (Verification::Invalid, _) => {}
            }
        }
        Ok((result, None))
    }

    /// Uses up the attempt, compares the code and, on a match, creates the account with the sign-up's password.
    async fn verify(&self, tx: &mut AnyConnection, attempt: &Attempt) -> Result<Confirmed, Error> {
        let Attempt { signup_id, code_hash, .. } = attempt;
        let Some(signup) = store::take_attempt(tx, signup_id, code_hash).await? else {
            return Ok((Verification::Invalid, None));
        };
        let is_live = self.now_ms < signup.expires_at;
        match self.code_keys.verify(signup_id, Purpose::ConfirmEmail, &self.code, code_hash, is_live) {
            Verification::Valid => self.create_account(tx, &signup).await,
            other => Ok((other, None)),
        }
    }

    /// Creates the account and deletes all pending sign-ups of its address.
    async fn create_account(
        &self,
        tx: &mut AnyConnection,
        signup: &store::AttemptedSignUp,
    ) -> Result<Confirmed, Error> {
        let new = NewUser {
            id: &self.user_id,
            email: &signup.email,
            email_key: &self.email_key,
            password_hash: &signup.password_hash,
            created_at: self.now_ms,
        };
        let is_created = users::insert_or_confirm(tx, new).await?;
        store::delete_of_address(tx, &self.email_key).await?;
        // A concurrent request may have created an account with this address.
        if !is_created {
            return Ok((Verification::Invalid, None));
        }
        let is_same_browser = signup.token_hash.is_some() && signup.token_hash == self.token_hash;
        let session = if is_same_browser { self.begin_session(tx).await? } else { None };
        Ok((Verification::Valid, session))
    }

    async fn begin_session(&self, tx: &mut AnyConnection) -> Result<Option<(User, LiveSession)>, Error> {
        let Some(user) = users::find_user_by_email(&mut *tx, &self.email_key).await? else {
            return Ok(None);
        };
        users::touch_login(tx, &user.id, self.now_ms).await?;
        let session = sessions::begin(tx, &self.session, &user, &self.device, self.now_ms).await?;
        Ok(Some((user, session)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000;

    /// Pending sign-ups, oldest first. Each letter is a client; an uppercase letter is a sign-up with an expired code.
    fn waiting(clients: &str) -> Vec<SignUp> {
        let one = |(number, client): (usize, char)| SignUp {
            id: number.to_string(),
            email: String::new(),
            slot: i64::try_from(number).unwrap_or_default(),
            password_hash: String::new(),
            client: client.to_lowercase().to_string(),
            code_hash: String::new(),
            expires_at: if client.is_uppercase() { NOW } else { NOW + 1 },
            created_at: i64::try_from(number).unwrap_or_default(),
            token_hash: None,
        };
        clients.chars().enumerate().map(one).collect()
    }

    #[test]
    fn a_sign_up_finds_a_slot_without_pushing_out_what_somebody_else_still_needs() {
        let slot = |there: &str, client: &str| choose_slot(&waiting(there), client, NOW);
        assert_eq!(slot("", "a"), Some(0));
        assert_eq!(slot("aa", "a"), Some(2));
        // A client can replace only its own sign-ups with expired codes.
        assert_eq!(slot("aaa", "a"), None);
        assert_eq!(slot("vss", "s"), None);
        assert_eq!(slot("Vss", "s"), None);
        assert_eq!(slot("vSs", "s"), Some(1));
        // A client that fills several slots loses its oldest sign-up to another client, and keeps its newest one.
        assert_eq!(slot("sss", "v"), Some(0));
        assert_eq!(slot("vss", "t"), Some(1));
        assert_eq!(slot("Vss", "t"), Some(1));
        // Three clients with one sign-up each: only one with an expired code is replaced.
        assert_eq!(slot("stu", "v"), None);
        assert_eq!(slot("sTU", "v"), Some(1));
    }

    #[test]
    fn another_code_is_for_ones_own_newest_sign_up() {
        let mut there = waiting("svs");
        there.reverse();
        assert_eq!(find_renewable(&there, "v").map(|one| one.id.as_str()), Some("1"));
        assert_eq!(find_renewable(&there, "s").map(|one| one.id.as_str()), Some("2"));
        // A client without a sign-up can confirm those of one other client, and none if there are several clients.
        assert!(find_renewable(&there, "t").is_none());
        assert_eq!(find_renewable(&there[..1], "t").map(|one| one.id.as_str()), Some("2"));
        assert!(find_renewable(&[], "t").is_none());
    }
}
