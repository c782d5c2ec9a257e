//! What happens with a code that somebody enters: how often one client may, and when the whole shop grows wary.
//!
//! Each code stands five tries, so one account is safe. Whoever guesses a little at a great many accounts is
//! noticed by the sum: after more than 200 wrong codes in ten minutes the shopkeeper is told, and until the ten
//! minutes are over each client has three tries left and all together have twenty a minute. A stranger can
//! therefore slow confirmations down, and not stop those of others from their own address alone.

use super::codes::Judgement;
use crate::error::{Code, Error};
use crate::limits;
use crate::limits::address::ClientAddress;
use crate::mail::outbox::{self, OutgoingMail};
use crate::shop::Shop;

/// Whom the rules for all accounts together are about.
const EVERYBODY: &str = "everybody";

/// Lets somebody enter a code, or has them wait.
pub async fn admit(shop: &Shop, client: &ClientAddress) -> Result<(), Error> {
    let subject = client.subject();
    limits::take(shop, &[(limits::CODE_PER_ADDRESS, &subject)]).await?;
    if limits::is_used_up(shop, (limits::WRONG_CODES, EVERYBODY)).await? {
        limits::take(shop, &[(limits::WARY_PER_ADDRESS, &subject), (limits::WARY_IN_ALL, EVERYBODY)]).await?;
    }
    Ok(())
}

/// The judgement as an answer; a wrong code is counted over all accounts, known or not.
pub async fn settle(shop: &Shop, judgement: Judgement) -> Result<(), Error> {
    if judgement == Judgement::Wrong {
        match limits::take(shop, &[(limits::WRONG_CODES, EVERYBODY)]).await {
            Err(error) if error.code() == Code::TooManyRequests => warn(shop).await?,
            counted => counted?,
        }
    }
    judgement.accept()
}

async fn warn(shop: &Shop) -> Result<(), Error> {
    tracing::error!("more than 200 wrong codes in ten minutes: somebody is guessing; confirmations are slowed down");
    let Some(to) = shop.config.orders_email.clone() else {
        return Ok(());
    };
    let now_ms = shop.clock.now_ms();
    let text = "More than 200 wrong codes were entered within ten minutes, for whatever accounts. Somebody may be \
        guessing the codes that are sent by mail.\nEach code stands five tries and no more, and until the ten \
        minutes are over the shop lets only a few be entered. Nothing \
        has to be done unless it goes on.";
    let mail = app::mail::attention(&shop.mail_shop(), "Somebody is guessing codes", text);
    shop.db
        .write(move |tx| {
            let (to, mail) = (to.clone(), mail.clone());
            Box::pin(async move {
                // One mail for as long as it goes on within these ten minutes.
                let began = limits::window_start(tx, (limits::WRONG_CODES, EVERYBODY)).await?.unwrap_or(now_ms);
                let outgoing = OutgoingMail { dedupe_key: format!("wrong-codes:{began}"), to, mail };
                outbox::enqueue(tx, now_ms, outgoing).await
            })
        })
        .await?;
    shop.mail_waiting.notify_one();
    Ok(())
}
