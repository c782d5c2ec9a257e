//! `/v1/charges`: list and retrieve. Charges come into being with an intent.

use super::call::{Answer, Call};
use super::charge::Charge;
use super::expand::{self, Expansion};
use super::fault::Halt;
use super::{lists, store};

pub async fn list(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "charge")?;
    let mut stretch = lists::take_stretch(&mut call.form)?;
    stretch.parent = call.form.take_text("payment_intent")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let found: Vec<Charge> = store::list(&mut connection, &stretch.with_one_more()).await?;
    let mut page = lists::page("/v1/charges", found.iter().map(Charge::to_json).collect(), &stretch);
    expansion.apply(&mut connection, &mut page).await?;
    Ok(Answer::ok(&page))
}

pub async fn retrieve(mut call: Call) -> Result<Answer, Halt> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "charge")?;
    std::mem::take(&mut call.form).refuse_rest()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let charge: Charge = expand::load(&mut connection, "charge", &call.id, "charge").await?;
    let mut shown = charge.to_json();
    expansion.apply(&mut connection, &mut shown).await?;
    Ok(Answer::ok(&shown))
}
