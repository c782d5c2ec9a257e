//! Sign-ups that wait for their code.
//!
//! Each has a password and a code of its own, and the code that is entered decides which password counts: whoever
//! signs up with somebody else's address changes nothing about the owner's own sign-up. A client that has signed up
//! itself can enter the codes of its own sign-ups alone, so that the owner does not confirm a stranger's password by
//! taking the wrong mail.

pub mod store;

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sqlx::AnyConnection;

use self::store::SignUp;
use super::brute_force;
use super::codes::{self, Judgement, Purpose, Secrets};
use super::devices::Who;
use super::keys::{Keys, keyed_hash};
use super::store::{self as users, NewUser};
use crate::config::RateLimits;
use crate::http::error::Error;
use crate::infra::random;
use crate::limits::address::ClientAddress;
use crate::limits::{self, Rule};
use crate::shop::Shop;

/// How many may wait with one address.
const SLOTS: i64 = 3;

/// What is kept of where a sign-up came from: enough to know it again, and nothing that names it.
pub fn client_name(keys: &Keys, client: &ClientAddress) -> String {
    URL_SAFE_NO_PAD.encode(keyed_hash(&keys.derive("signup-client"), &[&client.site()]))
}

/// Keeps the sign-up, if there is room for it: `slot` is chosen here.
pub async fn keep(tx: &mut AnyConnection, signup: SignUp, email_key: &str) -> Result<bool, sqlx::Error> {
    // Another process may take the slot first; each time that happens there is one less to take.
    for _ in 0..SLOTS {
        let waiting = store::list(&mut *tx, email_key).await?;
        let Some(slot) = slot_for(&waiting, &signup.client, signup.created_at) else {
            return Ok(false);
        };
        if let Some(gives_way) = waiting.iter().find(|one| one.slot == slot) {
            store::delete(tx, &gives_way.id).await?;
        }
        let signup = SignUp { slot, ..signup.clone() };
        if store::insert(tx, &signup, email_key, codes::TRIES).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The slot for a client's next sign-up. No client can push out the last one of another whose code still counts, and
/// one that fills the slots by itself keeps nobody else out.
fn slot_for(waiting: &[SignUp], client: &str, now_ms: i64) -> Option<i64> {
    if let Some(free) = (0..SLOTS).find(|slot| waiting.iter().all(|one| one.slot != *slot)) {
        return Some(free);
    }
    let count_of = |client: &str| waiting.iter().filter(|one| one.client == client).count();
    let is_over = |one: &&SignUp| one.expires_at <= now_ms;
    let oldest = |one: &&SignUp| one.created_at;
    let gives_way = if count_of(client) > 0 {
        waiting.iter().filter(|one| one.client == client).filter(is_over).min_by_key(oldest)
    } else {
        let crowd = waiting.iter().filter(|one| count_of(&one.client) > 1).min_by_key(oldest);
        crowd.or_else(|| waiting.iter().filter(is_over).min_by_key(oldest))
    };
    gives_way.map(|one| one.slot)
}

/// The newest sign-up that this client may confirm.
pub fn to_renew<'a>(waiting: &'a [SignUp], client: &str) -> Option<&'a SignUp> {
    confirmable(waiting, client).next()
}

/// What this client may confirm: its own sign-ups. A client without any may confirm those of another one, as long as
/// there is only that one: of several, nobody can say whose code is in the newest email.
fn confirmable<'a>(waiting: &'a [SignUp], client: &str) -> impl Iterator<Item = &'a SignUp> {
    let has_own = waiting.iter().any(|one| one.client == client);
    let are_of_one = waiting.windows(2).all(|two| two[0].client == two[1].client);
    waiting.iter().filter(move |one| if has_own { one.client == client } else { are_of_one })
}

/// Compares a code with those that this client may enter, and opens the account if it is one of them. One transaction,
/// however many there are: its time says nothing of an address.
pub async fn confirm(shop: &Shop, client: &ClientAddress, email_key: &str, typed: &str) -> Result<Judgement, Error> {
    let waiting = store::list(shop.db.read(), email_key).await?;
    let name = client_name(&shop.keys, client);
    let mut compared: Vec<(&str, &str)> =
        confirmable(&waiting, &name).map(|one| (one.id.as_str(), one.code_hash.as_str())).collect();
    if compared.is_empty() {
        // Without a sign-up the same is done for nobody.
        compared.push(("", ""));
    }
    let who = Who::Client(client);
    let tries = compared.iter().map(|(id, code_hash)| Try {
        signup_id: (*id).to_owned(),
        code_hash: (*code_hash).to_owned(),
        uses: brute_force::tries(&who, email_key, code_hash),
    });
    let confirmation = Arc::new(Confirmation {
        email_key: email_key.to_owned(),
        typed: typed.to_owned(),
        tries: tries.collect(),
        rate_limits: shop.config.rate_limits,
        secrets: Secrets::of(&shop.keys),
        user_id: random::new_id(),
        now_ms: shop.clock.now_ms(),
    });
    shop.db
        .write_closure(move |tx| {
            let confirmation = confirmation.clone();
            Box::pin(async move { confirmation.apply(tx).await })
        })
        .await
}

/// A code that was entered for an address.
struct Confirmation {
    email_key: String,
    typed: String,
    tries: Vec<Try>,
    rate_limits: RateLimits,
    secrets: Secrets,
    user_id: String,
    now_ms: i64,
}

/// One sign-up that it may be the code of.
struct Try {
    signup_id: String,
    code_hash: String,
    uses: Vec<(Rule, String)>,
}

impl Confirmation {
    async fn apply(&self, tx: &mut AnyConnection) -> Result<Judgement, Error> {
        let mut judgement = Judgement::Wrong;
        for one in &self.tries {
            if !limits::take_within(tx, self.rate_limits, &one.uses, self.now_ms).await? {
                continue;
            }
            match self.open(tx, one).await? {
                Judgement::Right => return Ok(Judgement::Right),
                Judgement::Expired => judgement = Judgement::Expired,
                Judgement::Wrong => {}
            }
        }
        Ok(judgement)
    }

    /// Opens the account with the sign-up's own password, if the code is its own; the other sign-ups die with that.
    async fn open(&self, tx: &mut AnyConnection, one: &Try) -> Result<Judgement, Error> {
        // The try is used up whatever comes of it.
        let Some(tried) = store::take_try(tx, &one.signup_id, &one.code_hash).await? else {
            return Ok(Judgement::Wrong);
        };
        let is_live = self.now_ms < tried.expires_at;
        let judgement = self.secrets.judge(&one.signup_id, Purpose::ConfirmEmail, &self.typed, &one.code_hash, is_live);
        if judgement != Judgement::Right {
            return Ok(judgement);
        }
        let user = NewUser {
            id: &self.user_id,
            email: &tried.email,
            email_key: &self.email_key,
            password_hash: &tried.password_hash,
            created_at: self.now_ms,
        };
        let is_opened = users::open(tx, user).await?;
        store::delete_of_address(tx, &self.email_key).await?;
        // The address may have become an account's while we looked.
        Ok(if is_opened { Judgement::Right } else { Judgement::Wrong })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_000;

    /// Sign-ups in the order in which they came, each of the client with this name; a capital one's code is over.
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
        };
        clients.chars().enumerate().map(one).collect()
    }

    #[test]
    fn a_sign_up_finds_a_slot_without_pushing_out_what_somebody_else_still_needs() {
        let slot = |there: &str, client: &str| slot_for(&waiting(there), client, NOW);
        assert_eq!(slot("", "a"), Some(0));
        assert_eq!(slot("aa", "a"), Some(2));
        // A client that is there already waits until a code of its own is over.
        assert_eq!(slot("aaa", "a"), None);
        assert_eq!(slot("vss", "s"), None);
        assert_eq!(slot("Vss", "s"), None);
        assert_eq!(slot("vSs", "s"), Some(1));
        // One client cannot keep the others out, and its newest sign-up stays.
        assert_eq!(slot("sss", "v"), Some(0));
        assert_eq!(slot("vss", "t"), Some(1));
        assert_eq!(slot("Vss", "t"), Some(1));
        // Of three strangers each has one: a code that is over gives way, one that counts does not.
        assert_eq!(slot("stu", "v"), None);
        assert_eq!(slot("sTU", "v"), Some(1));
    }

    #[test]
    fn another_code_is_for_ones_own_newest_sign_up() {
        let mut there = waiting("svs");
        there.reverse();
        assert_eq!(to_renew(&there, "v").map(|one| one.id.as_str()), Some("1"));
        assert_eq!(to_renew(&there, "s").map(|one| one.id.as_str()), Some("2"));
        // A client without one may confirm those of one other client, and of several none.
        assert!(to_renew(&there, "t").is_none());
        assert_eq!(to_renew(&there[..1], "t").map(|one| one.id.as_str()), Some("2"));
        assert!(to_renew(&[], "t").is_none());
    }
}
