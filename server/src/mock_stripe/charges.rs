//! `/v1/charges`: list and retrieve. A charge is created with a payment attempt.

use super::api_error::CallError;
use super::call::{ApiResponse, Call};
use super::charge::Charge;
use super::expand::{self, Expansion};
use super::{lists, store};

pub async fn list(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, "charge")?;
    let mut range = lists::take_range(&mut call.form)?;
    range.parent = call.form.take_text("payment_intent")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let found: Vec<Charge> = store::list(&mut connection, &range.with_one_more()).await?;
    let mut page = lists::page("/v1/charges", found.iter().map(Charge::to_json).collect(), &range);
    expansion.apply(&mut connection, &mut page).await?;
    Ok(ApiResponse::ok(&page))
}

pub async fn retrieve(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of(&mut call.form, "charge")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let charge: Charge = expand::load(&mut connection, "charge", &call.id, "charge").await?;
    let mut shown = charge.to_json();
    expansion.apply(&mut connection, &mut shown).await?;
    Ok(ApiResponse::ok(&shown))
}
