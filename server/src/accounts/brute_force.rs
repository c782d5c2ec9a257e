//! Brute-force protection of emailed codes: attempt limits per client, per code, per account and across all accounts.
//!
//! Per account: one client has five attempts per code and fifteen a day per address. All clients together have fifteen
//! per code and fifty a day per address over all its codes. So an account stays safe, and a stranger cannot use up the
//! owner's attempts.
//!
//! Across accounts: one client has ten wrong codes in ten minutes. More than 200 wrong codes in ten minutes, which
//! takes more than twenty clients, count as an attack: the shop alerts its owner, and for the rest of the ten minutes
//! each client has three attempts and all clients together have twenty a minute. A known device has limits of its own.

use super::codes::Verification;
use super::devices::Requester;
use crate::accounts::Accounts;
use crate::error::{Code, Error};
use crate::limits::{self, LimitAlert, Rule};
use crate::mail::EmailKind;

/// The subject of rules that count all clients and accounts together.
const GLOBAL: &str = "global";

/// Checks the rate limits for entering a code.
///
/// # Errors
/// 429 when this client has entered too many codes, or during an attack.
pub async fn check_limits(state: &Accounts, requester: &Requester<'_>, email_key: &str) -> Result<(), Error> {
    let mut usages = requester.usages(limits::CODE_PER_ADDRESS, email_key);
    let Requester::Client(client) = requester else {
        return limits::check_each(&state.limits, &usages).await;
    };
    usages.extend(client.usages(limits::WRONG_CODES_PER_CLIENT));
    limits::check_each(&state.limits, &usages).await?;
    if limits::is_exceeded(&state.limits, (limits::WRONG_CODES, GLOBAL)).await? {
        let mut usages = client.usages(limits::ATTACK_PER_CLIENT);
        usages.push((limits::ATTACK_GLOBAL, GLOBAL.to_owned()));
        limits::check_each(&state.limits, &usages).await?;
    }
    Ok(())
}

/// The usages that one attempt at a code counts.
///
/// The response does not reveal a rejection by one of these rules, because that would reveal that a code exists. The
/// caller counts them in the transaction that compares the code, so that an attempt always costs one write.
pub fn attempt_usages(requester: &Requester<'_>, email_key: &str, code_hash: &str) -> Vec<(Rule, String)> {
    let mut usages = requester.usages_on(limits::ATTEMPTS_PER_CODE, &format!("{email_key} {code_hash}"));
    usages.extend(requester.usages_on(limits::ATTEMPTS_PER_CLIENT, email_key));
    if matches!(requester, Requester::Client(_)) {
        usages.push((limits::ATTEMPTS_PER_ACCOUNT, email_key.to_owned()));
    }
    usages
}

/// Converts a rejection by a rate limit to `false`, for limits that the response must not reveal.
pub fn is_within_limits(checked: Result<(), Error>) -> Result<bool, Error> {
    match checked {
        Ok(()) => Ok(true),
        Err(error) if error.code() == Code::TooManyRequests => Ok(false),
        Err(error) => Err(error),
    }
}

/// Converts the verification to a response, and counts a wrong code across all accounts, whether or not there is one.
pub async fn conclude(state: &Accounts, requester: &Requester<'_>, verification: Verification) -> Result<(), Error> {
    match (requester, verification) {
        (Requester::Client(client), Verification::Valid) => {
            // The code is used already, so its owner gets the response in any case.
            if let Err(error) = uncount(state, client.usages(limits::WRONG_CODES_PER_CLIENT)).await {
                tracing::error!(%error, "a valid code stays counted as an attempt");
            }
        }
        (Requester::Client(_), Verification::Invalid) => {
            let counted = limits::check(&state.limits, &[(limits::WRONG_CODES, GLOBAL)]).await;
            if !is_within_limits(counted)? {
                alert_owner(state).await?;
            }
        }
        (Requester::Client(_), Verification::Expired) | (Requester::KnownDevice(_), _) => {}
    }
    verification.into_result()
}

/// Uncounts the attempt with a valid code. Earlier wrong codes stay counted: a code of the attacker's own account must
/// not reset the limit.
async fn uncount(state: &Accounts, usages: Vec<(Rule, String)>) -> Result<(), Error> {
    state.db.write(usages.clone(), |tx, usages| Box::pin(limits::uncount_each(tx, usages))).await?;
    limits::forget_cached_each(&state.limits, &usages);
    Ok(())
}

async fn alert_owner(state: &Accounts) -> Result<(), Error> {
    tracing::error!("more than 200 wrong codes in 10 minutes: brute-force attack, code entry is throttled");
    let Some(to) = state.letterhead.notification_email() else {
        return Ok(());
    };
    let text = "More than 200 wrong codes were entered within ten minutes, from more than twenty addresses. This may \
        be an attempt to guess emailed codes.\nEach code allows only a few attempts, and the shop is limiting how \
        many codes can be entered until the ten minutes are over. You don’t need to do anything unless this continues.";
    let mail = app::mail::alert(&state.letterhead.shop(), "Possible code-guessing attack", text);
    let usage = (limits::WRONG_CODES, GLOBAL);
    let alert = LimitAlert { usage, kind: EmailKind::WrongCodes, to, mail, now_ms: state.clock.now_ms() };
    alert.enqueue(&state.db).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}
