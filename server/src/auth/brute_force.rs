//! What happens with a code that somebody enters: how often one client may, and when the whole shop grows wary.
//!
//! A client has five tries for a code and fifteen a day for an address, a code stands fifteen tries of all clients, and
//! an address fifty a day over all its codes: one account is safe, and one stranger cannot use up what its owner needs.
//! Whoever guesses a little at a great many accounts is held by their own ten wrong codes in ten minutes. Somebody with
//! many addresses is noticed by the sum: after more than 200 wrong codes in ten minutes, which takes more than twenty
//! clients, the shopkeeper is told, and until the ten minutes are over each client has three tries left and all
//! together have twenty a minute. None of that is about a browser that has logged in to the account before.

use super::codes::Judgement;
use super::devices::Who;
use crate::http::error::{Code, Error};
use crate::limits;
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

/// Whom the rules for all accounts together are about.
const EVERYBODY: &str = "everybody";

/// Lets somebody enter a code, or has them wait.
pub async fn admit(shop: &Shop, who: &Who<'_>, email_key: &str) -> Result<(), Error> {
    let mut uses = who.uses(limits::CODE_PER_ADDRESS, email_key);
    let Who::Client(client) = who else {
        return limits::take_each(shop, &uses).await;
    };
    uses.extend(client.uses(limits::WRONG_PER_CLIENT));
    limits::take_each(shop, &uses).await?;
    if limits::is_used_up(shop, (limits::WRONG_CODES, EVERYBODY)).await? {
        let mut uses = client.uses(limits::WARY_PER_ADDRESS);
        uses.push((limits::WARY_IN_ALL, EVERYBODY.to_owned()));
        limits::take_each(shop, &uses).await?;
    }
    Ok(())
}

/// What is counted of one more code that is compared with the one of this hash. Nobody is told when a rule refuses: that
/// would say that there is a code. It is counted in the transaction that compares, so that there is one, and it writes,
/// whether there is a code or none.
pub fn tries(who: &Who<'_>, email_key: &str, code_hash: &str) -> Vec<(limits::Rule, String)> {
    let mut uses = who.uses_on(limits::TRIES_PER_CODE, &format!("{email_key} {code_hash}"));
    uses.extend(who.uses_on(limits::TRIES_PER_CLIENT, email_key));
    if matches!(who, Who::Client(_)) {
        uses.push((limits::TRIES_PER_ACCOUNT, email_key.to_owned()));
    }
    uses
}

/// What a limit says, for those who are not told.
pub fn is_allowed(taken: Result<(), Error>) -> Result<bool, Error> {
    match taken {
        Ok(()) => Ok(true),
        Err(error) if error.code() == Code::TooManyRequests => Ok(false),
        Err(error) => Err(error),
    }
}

/// The judgement as an answer; a wrong code is counted over all accounts, known or not.
pub async fn settle(shop: &Shop, who: &Who<'_>, judgement: Judgement) -> Result<(), Error> {
    match (who, judgement) {
        (Who::Client(client), Judgement::Right) => give_back(shop, client.uses(limits::WRONG_PER_CLIENT)).await?,
        (Who::Client(_), Judgement::Wrong) => {
            let counted = limits::take(shop, &[(limits::WRONG_CODES, EVERYBODY)]).await;
            if !is_allowed(counted)? {
                warn(shop).await?;
            }
        }
        (Who::Client(_), Judgement::Expired) | (Who::Device(_), _) => {}
    }
    judgement.accept()
}

/// A right code is none of the wrong ones that it was counted among. The others stay: a code of one's own is no way to
/// go on guessing.
async fn give_back(shop: &Shop, uses: Vec<(limits::Rule, String)>) -> Result<(), Error> {
    let given_back = uses.clone();
    shop.db
        .write_closure(move |tx| {
            let uses = given_back.clone();
            Box::pin(async move { limits::give_back_each(tx, &uses).await })
        })
        .await?;
    limits::forget_each(shop, &uses);
    Ok(())
}

async fn warn(shop: &Shop) -> Result<(), Error> {
    tracing::error!("more than 200 wrong codes in ten minutes: somebody is guessing; confirmations are slowed down");
    let Some(to) = shop.config.orders_email.clone() else {
        return Ok(());
    };
    let now_ms = shop.clock.now_ms();
    let text = "More than 200 wrong codes were entered within ten minutes, for whatever accounts and from more than \
        twenty addresses. Somebody may be guessing the codes that are sent by mail.\nEach code stands a few tries and \
        no more, and until the ten minutes are over the shop lets only a few be entered. Nothing \
        has to be done unless it goes on.";
    let mail = app::mail::attention(&shop.mail_shop(), "Somebody is guessing codes", text);
    shop.db
        .write_closure(move |tx| {
            let (to, mail) = (to.clone(), mail.clone());
            Box::pin(async move {
                // One mail for as long as it goes on within these ten minutes.
                let began = limits::window_start(tx, (limits::WRONG_CODES, EVERYBODY)).await?.unwrap_or(now_ms);
                let outgoing = OutgoingMail { dedupe_key: format!("wrong-codes:{began}"), to, mail };
                outbox::enqueue(tx, now_ms, outgoing).await
            })
        })
        .await?;
    shop.mail_enqueued.notify_one();
    Ok(())
}
