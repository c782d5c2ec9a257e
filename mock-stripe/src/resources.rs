//! Reading objects: `GET /v1/…/{id}` and pages of `GET /v1/…`, the same for every type.

use sqlx::AnyConnection;

use crate::api_error::CallError;
use crate::api_response::ApiResponse;
use crate::call::Call;
use crate::expand::{self, Expansion};
use crate::lists;
use crate::store::{self, Range, Resource};

/// Retrieves the object in the path.
pub async fn retrieve<R: Resource>(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let object = R::KIND.word();
    let expansion = Expansion::of(&mut call.form, object)?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    let found: R = expand::load(&mut connection, object, &call.id, object).await?;
    let mut shown = found.to_json();
    expansion.apply(&mut connection, &mut shown).await?;
    Ok(ApiResponse::ok(&shown))
}

/// Lists the children of charges, optionally of one charge, given by its id or by its intent.
pub async fn list_of_charge<R: Resource>(mut call: Call) -> Result<ApiResponse, CallError> {
    call.require_secret_key()?;
    let expansion = Expansion::of_list(&mut call.form, R::KIND.word())?;
    let mut range = lists::take_range(&mut call.form)?;
    let intent_id = call.form.take_text("payment_intent")?;
    let charge_id = call.form.take_text("charge")?;
    std::mem::take(&mut call.form).reject_unknown()?;
    let mut connection = call.stripe.db.read().acquire().await?;
    range.parent = lists::charge_of(&mut connection, intent_id, charge_id).await?;
    page::<R>(&mut connection, &range, &expansion).await
}

/// A page of a list.
pub async fn page<R: Resource>(
    connection: &mut AnyConnection,
    range: &Range,
    expansion: &Expansion,
) -> Result<ApiResponse, CallError> {
    let found: Vec<R> = store::list(connection, &range.with_one_more()).await?;
    let mut page = lists::page(R::PATH, found.iter().map(R::to_json).collect(), range);
    expansion.apply(connection, &mut page).await?;
    Ok(ApiResponse::ok(&page))
}
