//! `/v1/charges`: retrieve. Charges come into being with an intent.

use super::call::{Answer, Call};
use super::charge::Charge;
use super::expand::{self, Expansion};
use super::fault::Halt;

pub async fn retrieve(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::take(&mut call.form, &["payment_intent", "refunds"])?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let charge: Charge = expand::load(&mut connection, "charge", &call.id, "charge").await?;
    let mut shown = charge.to_json();
    expansion.apply(&mut connection, &mut shown).await?;
    Ok(Answer::ok(&shown))
}
