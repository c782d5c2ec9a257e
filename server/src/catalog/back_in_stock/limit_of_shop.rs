//! The limit of all clients together. It bounds how many strangers an attacker with many addresses can send an email to.

use crate::catalog::Catalog;
use crate::error::Error;
use crate::limits::{self, BACK_IN_STOCK_REQUESTS, LimitAlert, Usage};
use crate::mail::EmailKind;

const USAGE: Usage<'static> = (BACK_IN_STOCK_REQUESTS, "all");

const ALERT: &str = "200 back-in-stock requests arrived within an hour, which is the limit of the shop. Each sends an \
    email with a confirmation link, so this may be an attempt to send unwanted email through your shop.\nThe shop \
    rejects further requests until the hour is over. You don’t need to do anything unless this continues.";

/// Counts a request. The one that reaches the limit alerts the shopkeeper.
///
/// # Errors
/// 429 above the limit.
pub async fn check(state: &Catalog) -> Result<(), Error> {
    limits::check(&state.limits, &[USAGE]).await?;
    if !limits::is_exceeded(&state.limits, USAGE).await? {
        return Ok(());
    }
    tracing::warn!("back-in-stock requests are rejected: 200 within an hour");
    let Some(to) = state.settings.get().orders_email.clone() else { return Ok(()) };
    let mail = app::mail::alert(&state.settings.mail_shop(), "Many back-in-stock requests", ALERT);
    let alert = LimitAlert { usage: USAGE, kind: EmailKind::Alert, to, mail, now_ms: state.clock.now_ms() };
    alert.enqueue(&state.db).await?;
    state.mail_enqueued.notify_one();
    Ok(())
}
